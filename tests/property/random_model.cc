#include "tests/property/random_model.h"

#include <vector>

#include "tests/property/dice.h"
#include "tests/property/random_nodes.h"
#include "tests/property/random_tensor.h"

namespace onnx_expose::testing {
namespace {

using onnx::TensorProto;
using onnx::TypeProto;

class ModelMaker {
 public:
  explicit ModelMaker(uint64_t seed)
      : dice_(seed),
        opset_(dice_.Pick(std::vector<int>{13, 15, 17, 18})),
        graph_(*made_.proto.mutable_graph()),
        nodes_(dice_, graph_, opset_) {}

  RandomModel Make() {
    Header();
    Inputs();
    Functions();
    for (int i = dice_.Below(25) + 3; i > 0; --i) nodes_.Append(list_);
    made_.truth = nodes_.truth();
    Outputs();
    Weights();
    ValueInfo();
    Extras();
    if (dice_.Chance(8)) Shuffle();
    return std::move(made_);
  }

 private:
  void Header() {
    auto& model = made_.proto;
    model.set_ir_version(10);
    model.set_producer_name("a generator");
    if (dice_.Chance(30)) model.set_doc_string("what it is for");
    Import(*model.mutable_opset_import(), "", opset_);
    Import(*model.mutable_opset_import(), "test.custom", 1);
    Import(*model.mutable_opset_import(), "test.fn", 1);
    if (dice_.Chance(5))
      Import(*model.mutable_opset_import(), "ai.onnx", opset_);
    graph_.set_name("g");
    list_.nodes = graph_.mutable_node();
  }

  template <typename List>
  static void Import(List& list, const std::string& domain, int version) {
    auto& entry = *list.Add();
    entry.set_domain(domain);
    entry.set_version(version);
  }

  void Inputs() {
    Input("x", TensorType(TensorProto::FLOAT, {"N", "C", "8"}));
    Input("x3", TensorType(TensorProto::FLOAT, {"seq len", "B", "4"}));
    Input("flat", TensorType(TensorProto::FLOAT, {"N"}));
    Input("scalar", TensorType(TensorProto::FLOAT, {}));
    Input("odd", TensorType(TensorProto::FLOAT, {"", "?", "2"}));
    auto& condition = *graph_.add_input();
    condition.set_name("cond");
    *condition.mutable_type() = TensorType(TensorProto::BOOL, {});
  }

  void Input(const std::string& name, const TypeProto& type) {
    auto& input = *graph_.add_input();
    input.set_name(name);
    *input.mutable_type() = type;
    TypedValue known = {name, type};
    // "?" is no symbol: what comes out of it is unknown.
    for (auto& dim :
         *known.type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      if (dim.dim_param() == "?") dim.clear_value();
    }
    list_.floats.push_back(std::move(known));
  }

  // Each may call those before it.
  void Functions() {
    NodeMaker maker(dice_, graph_, opset_);
    const int count = dice_.Chance(60) ? 0 : dice_.Below(3) + 1;
    for (int i = 0; i < count; ++i) {
      auto& function = *made_.proto.add_functions();
      function.set_name("F" + std::to_string(i));
      function.set_domain("test.fn");
      Import(*function.mutable_opset_import(), "", opset_);
      Import(*function.mutable_opset_import(), "test.fn", 1);
      function.add_input("x");
      NodeList body;
      body.nodes = function.mutable_node();
      body.prefix = "t";
      body.depth = 1;
      std::string last = "x";
      for (int k = dice_.Below(3) + 1; k > 0; --k) {
        last = maker.AppendUnary(body, last);
      }
      if (i > 0) {
        auto& call = *function.add_node();
        call.set_op_type("F" + std::to_string(i - 1));
        call.set_domain("test.fn");
        call.add_input(last);
        call.add_output(last = "called");
      }
      function.add_output(last);
      if (dice_.Chance(20)) {
        auto& attribute = *function.add_attribute_proto();
        attribute.set_name("table");
        FillAttribute(dice_, attribute);
      }
    }
    nodes_.functions = count;
  }

  void Outputs() {
    std::vector<std::string> names;
    for (const auto& [name, type] : made_.truth) names.push_back(name);
    if (names.empty()) names.push_back("x");
    std::set<std::string> chosen;
    for (int i = dice_.Below(3); i >= 0; --i) {
      const std::string& name = dice_.Pick(names);
      if (!chosen.insert(name).second) continue;
      auto& output = *graph_.add_output();
      output.set_name(name);
      *output.mutable_type() =
          name == "x" ? graph_.input(0).type() : made_.truth[name];
      if (dice_.Chance(10)) output.set_doc_string("the result");
    }
  }

  void Weights() {
    for (int i = dice_.Below(6); i > 0; --i) {
      *graph_.add_initializer() = RandomTensor(dice_, "w" + std::to_string(i));
    }
    if (dice_.Chance(20)) {
      *graph_.add_sparse_initializer() = RandomSparseTensor(dice_, "sparse_w");
    }
    if (dice_.Chance(20)) {
      auto& weight = *graph_.add_initializer();
      FillTensor(dice_, TensorProto::FLOAT, {2, 3}, weight);
      weight.set_name("overridable");
      Input("overridable", TensorType(TensorProto::FLOAT, {"2", "3"}));
    }
  }

  // Mostly right; some of it stale, about values that aren't there, or with
  // symbols of its own.
  void ValueInfo() {
    const auto add = [&](const std::string& name) -> TypeProto& {
      auto& info = *graph_.add_value_info();
      info.set_name(name);
      if (dice_.Chance(5)) info.set_doc_string("said by the exporter");
      if (dice_.Chance(5)) AddUnknownFields(dice_, info);
      return *info.mutable_type();
    };
    for (const auto& [name, type] : made_.truth) {
      if (IsOutput(name) || dice_.Chance(50)) continue;
      add(name) = dice_.Chance(15)
                      ? TensorType(TensorProto::INT32, {"77", "stale"})
                      : type;
    }
    for (const std::string& name : nodes_.mysteries()) {
      if (dice_.Chance(60)) continue;
      add(name) = TensorType(TensorProto::FLOAT, {"Z", "3"});
    }
    if (dice_.Chance(20)) {
      add("gone") = TensorType(TensorProto::FLOAT, {"N"});
    }
  }

  bool IsOutput(const std::string& name) const {
    for (const auto& output : graph_.output()) {
      if (output.name() == name) return true;
    }
    return false;
  }

  void Extras() {
    auto& model = made_.proto;
    for (int i = dice_.Below(3); i > 0; --i) {
      auto& entry = *model.add_metadata_props();
      entry.set_key("key" + std::to_string(i));
      entry.set_value("value");
    }
    if (dice_.Chance(10)) {
      auto& annotation = *graph_.add_quantization_annotation();
      annotation.set_tensor_name("x");
      auto& scale = *annotation.add_quant_parameter_tensor_names();
      scale.set_key("SCALE_TENSOR");
      scale.set_value("w1");
    }
    if (dice_.Chance(15)) {
      auto& training = *model.add_training_info();
      *training.mutable_initialization()->add_initializer() =
          RandomTensor(dice_, "state");
      *training.mutable_algorithm()->add_initializer() =
          RandomTensor(dice_, "rate");
    }
    if (dice_.Chance(10)) AddUnknownFields(dice_, model);
    if (dice_.Chance(10)) AddUnknownFields(dice_, graph_);
  }

  // As some converters leave it.
  void Shuffle() {
    made_.sorted = false;
    for (int i = graph_.node_size() - 1; i > 0; --i) {
      graph_.mutable_node()->SwapElements(i, dice_.Below(i + 1));
    }
  }

  RandomModel made_;
  Dice dice_;
  const int opset_;
  onnx::GraphProto& graph_;
  NodeMaker nodes_;
  NodeList list_;
};

}  // namespace

RandomModel MakeRandomModel(uint64_t seed) { return ModelMaker(seed).Make(); }

}  // namespace onnx_expose::testing

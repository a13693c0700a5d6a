#include "tests/property/rules.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "onnx_expose/value_types.h"
#include "support/text.h"

namespace onnx_expose::testing {
namespace {

using onnx::TypeProto;

std::string Text(const onnx::ModelProto& model) {
  return model.SerializePartialAsString();
}

// Position of the node that computes each value of the main graph.
std::map<std::string, int> Producers(const onnx::GraphProto& graph) {
  std::map<std::string, int> producers;
  for (int i = 0; i < graph.node_size(); ++i) {
    for (const std::string& name : graph.node(i).output()) {
      if (!name.empty()) producers[name] = i;
    }
  }
  return producers;
}

// "" if what is written says nothing that isn't so.
std::string Mismatch(const TypeProto& written, const TypeProto& truth) {
  if (written.value_case() != truth.value_case()) return "another kind";
  if (written.has_sequence_type()) {
    return Mismatch(written.sequence_type().elem_type(),
                    truth.sequence_type().elem_type());
  }
  if (written.has_optional_type()) {
    return Mismatch(written.optional_type().elem_type(),
                    truth.optional_type().elem_type());
  }
  const auto& tensor = written.tensor_type();
  if (tensor.elem_type() != truth.tensor_type().elem_type()) {
    return "another element type";
  }
  if (!tensor.has_shape()) return "";
  const auto& dims = truth.tensor_type().shape().dim();
  if (tensor.shape().dim_size() != dims.size()) return "another rank";
  for (int i = 0; i < dims.size(); ++i) {
    const auto& dim = tensor.shape().dim(i);
    const bool says = dim.has_dim_value() || dim.has_dim_param();
    const bool known = dims[i].has_dim_value() || dims[i].has_dim_param();
    if (says && known &&
        dim.SerializeAsString() != dims[i].SerializeAsString()) {
      return "another dim";
    }
  }
  return "";
}

void CollectSymbols(const TypeProto& type, std::set<std::string>& symbols) {
  if (type.has_sequence_type()) {
    CollectSymbols(type.sequence_type().elem_type(), symbols);
  }
  if (type.has_optional_type()) {
    CollectSymbols(type.optional_type().elem_type(), symbols);
  }
  for (const auto& dim : type.tensor_type().shape().dim()) {
    if (dim.has_dim_param()) symbols.insert(dim.dim_param());
  }
}

void ExpectTypeHolds(const RandomModel& model, const onnx::ValueInfoProto& out,
                     const ExposeRequest& request) {
  if (!out.has_type()) return;
  EXPECT_TRUE(HasElementType(out.type())) << TypeText(out.type());
  std::set<std::string> symbols;
  CollectSymbols(out.type(), symbols);
  for (const std::string& symbol : symbols) {
    EXPECT_EQ(model.symbols.count(symbol), 1U) << symbol;
  }
  const auto truth = model.truth.find(out.name());
  if (truth == model.truth.end() || !request.infer.infer) return;
  EXPECT_EQ(Mismatch(out.type(), truth->second), "")
      << TypeText(out.type()) << " is " << TypeText(truth->second);
}

void ExpectOutputsHold(const RandomModel& model, const onnx::GraphProto& debug,
                       const ExposeRequest& request) {
  const auto& before = model.proto.graph();
  ASSERT_GE(debug.output_size(), before.output_size());
  std::set<std::string> names;
  for (int i = 0; i < before.output_size(); ++i) {
    names.insert(before.output(i).name());
    EXPECT_EQ(debug.output(i).SerializeAsString(),
              before.output(i).SerializeAsString());
  }
  const auto producers = Producers(before);
  std::set<std::string> with_value_info;
  for (const auto& info : debug.value_info())
    with_value_info.insert(info.name());
  int last = -1;
  for (int i = before.output_size(); i < debug.output_size(); ++i) {
    const auto& output = debug.output(i);
    SCOPED_TRACE(Quoted(output.name()));
    EXPECT_TRUE(names.insert(output.name()).second) << "an output already";
    ASSERT_EQ(producers.count(output.name()), 1U) << "computed by no node";
    EXPECT_LE(last, producers.at(output.name())) << "not in node order";
    last = producers.at(output.name());
    EXPECT_EQ(with_value_info.count(output.name()), 0U) << "in value_info";
    ExpectTypeHolds(model, output, request);
  }
}

}  // namespace

ExposeRequest RandomRequest(Dice& dice, const RandomModel& model) {
  ExposeRequest request;
  auto& select = request.select;
  const auto& nodes = model.proto.graph().node();
  const auto& node = nodes.Get(dice.Below(nodes.size()));
  switch (dice.Below(5)) {
    case 0:
    case 1:
      select.all = true;
      break;
    case 2:
      select.ops = {node.op_type(), dice.Pick(nodes).op_type()};
      break;
    case 3:
      select.values = {dice.Chance(50) ? "[0-4]$" : "layer1"};
      break;
    default:
      select.exact_values = {node.output(0)};
  }
  if (dice.Chance(20)) select.exclude_values = {"7"};
  select.node_inputs = dice.Chance(20);
  select.include_constants = dice.Chance(50);
  select.allow_empty = true;
  request.infer.infer = !dice.Chance(10);
  if (dice.Chance(20)) request.expose.untyped = Untyped::kSkip;
  return request;
}

ExposeRequest RandomRequestOfAnyKind(Dice& dice, const RandomModel& model) {
  ExposeRequest request = RandomRequest(dice, model);
  if (dice.Chance(25)) request.expose.suffix = "_debug";
  if (dice.Chance(25)) request.expose.annotate = true;
  if (dice.Chance(25)) request.dims.dims = {{"N", 2}, {"B", 3}};
  if (dice.Chance(25)) request.select.deep = true;
  return request;
}

std::string CommandLine(const ExposeRequest& request) {
  std::string line = "onnx-expose";
  const auto add = [&](const char* flag, const std::vector<std::string>& list) {
    for (const std::string& item : list) {
      line += std::string(" ") + flag + " " + Quoted(item);
    }
  };
  const auto& select = request.select;
  if (select.all) line += " --all";
  add("--ops", select.ops);
  add("--values", select.values);
  if (select.exact_values) add("--values =", *select.exact_values);
  add("--exclude-values", select.exclude_values);
  if (select.node_inputs) line += " --node-inputs";
  if (select.include_constants) line += " --include-constants";
  if (select.deep) line += " --deep";
  if (!request.infer.infer) line += " --no-infer";
  if (request.expose.untyped == Untyped::kSkip) line += " --untyped skip";
  if (request.expose.annotate) line += " --annotate";
  if (!request.dims.dims.empty()) line += " --dim N=2 --dim B=3";
  if (!request.expose.suffix.empty()) {
    line += " --suffix " + request.expose.suffix;
  }
  return line;
}

void ExpectRulesHold(const RandomModel& model, const onnx::ModelProto& debug,
                     const ExposeRequest& request) {
  ExpectOutputsHold(model, debug.graph(), request);
  // Taken back by hand, nothing else may differ.
  onnx::ModelProto rest = debug;
  *rest.mutable_graph()->mutable_output() = model.proto.graph().output();
  auto& entries = *rest.mutable_metadata_props();
  if (!entries.empty() && entries.rbegin()->key() == "onnx_expose") {
    entries.RemoveLast();
  }
  onnx::ModelProto before = model.proto;
  std::set<std::string> outputs;
  for (const auto& output : debug.graph().output())
    outputs.insert(output.name());
  auto& infos = *before.mutable_graph()->mutable_value_info();
  for (int i = infos.size() - 1; i >= 0; --i) {
    if (outputs.count(infos[i].name()) > 0) infos.DeleteSubrange(i, 1);
  }
  EXPECT_TRUE(Text(rest) == Text(before)) << "more than outputs changed";
}

}  // namespace onnx_expose::testing

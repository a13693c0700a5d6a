#ifndef ONNX_EXPOSE_TESTS_UNIT_WRITER_WEIGHTS_FIXTURE_H_
#define ONNX_EXPOSE_TESTS_UNIT_WRITER_WEIGHTS_FIXTURE_H_

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "onnx_expose/error.h"
#include "onnx_expose/loader.h"
#include "onnx_expose/writer.h"
#include "src/model/tensors.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {

using onnx::TensorProto;

inline constexpr int kCount =
    600;  // elements, so that every tensor is a payload

// As raw_data; each tensor has other bytes.
inline TensorProto Raw(const std::string& name) {
  TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(TensorProto::FLOAT);
  tensor.add_dims(kCount);
  std::string bytes(kCount * sizeof(float), '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>((i * 7 + name.size() * 31 + i / 256) & 0x3F);
  }
  tensor.set_raw_data(bytes);
  return tensor;
}

inline TensorProto Floats(const std::string& name) {
  TensorProto tensor = Raw(name);
  tensor.clear_raw_data();
  for (int i = 0; i < kCount; ++i) {
    tensor.add_float_data(static_cast<float>(i) / 3);
  }
  return tensor;
}

inline TensorProto External(const std::string& name,
                            const std::string& location,
                            const std::string& offset = "",
                            const std::string& length = "") {
  TensorProto tensor = Raw(name);
  tensor.clear_raw_data();
  tensor.set_data_location(TensorProto::EXTERNAL);
  const auto add = [&](const char* key, const std::string& value) {
    if (value.empty()) return;
    auto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  };
  add("location", location);
  add("offset", offset);
  add("length", length);
  return tensor;
}

inline onnx::NodeProto Constant(const TensorProto& value) {
  onnx::NodeProto node;
  node.set_op_type("Constant");
  node.add_output(value.name() + "_out");
  auto& attribute = *node.add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  *attribute.mutable_t() = value;
  return node;
}

inline onnx::ModelProto ModelOf(const std::vector<TensorProto>& initializers) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  model.mutable_graph()->set_name("g");
  for (const TensorProto& tensor : initializers) {
    *model.mutable_graph()->add_initializer() = tensor;
  }
  return model;
}

// One tensor wherever a model can have one.
inline onnx::ModelProto EveryPlace(
    const std::function<TensorProto(std::string)>& make) {
  onnx::ModelProto model = ModelOf({make("initializer")});
  *model.mutable_graph()->add_node() = Constant(make("attribute"));
  auto& body = *model.mutable_graph()->add_node()->add_attribute();
  body.set_name("then_branch");
  body.set_type(onnx::AttributeProto::GRAPH);
  *body.mutable_g()->add_initializer() = make("body");
  *body.mutable_g()->add_node() = Constant(make("body_attribute"));
  *model.add_functions()->add_node() = Constant(make("function"));
  *model.add_training_info()->mutable_algorithm()->add_initializer() =
      make("training");
  auto& sparse = *model.mutable_graph()->add_sparse_initializer();
  *sparse.mutable_values() = make("sparse_values");
  return model;
}

// What the refusal says, note included.
inline std::string Refusal(ExitCode code, const std::function<void()>& write) {
  try {
    write();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.message().what + "; " + error.message().note;
  }
  ADD_FAILURE() << "not refused";
  return "";
}

// Models and results lie in one folder and go by their names.
class WeightsTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const {
    return name == "-" || name[0] == '/' ? name : folder_ / name;
  }
  void Put(const std::string& name, const std::string& bytes) const {
    WriteFile(Path(name), bytes);
  }
  void Save(const onnx::ModelProto& model,
            const std::string& name = "m.onnx") const {
    Put(name, Bytes(model));
  }
  std::string Get(const std::string& name) const {
    return ReadFile(Path(name));
  }

  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder_.path())) {
      names.insert(entry.path().filename().native());
    }
    return names;
  }

  WriteReport Write(const std::string& from, const std::string& to,
                    Weights weights, bool force = false) const {
    WriteOptions options;
    options.weights = weights;
    options.force = force;
    return WriteModel(LoadModel(Path(from)), Path(to), options);
  }

  // What the refusal to write says.
  std::string Refused(const std::string& from, const std::string& to,
                      Weights weights, ExitCode code = ExitCode::kOutput,
                      bool force = false) const {
    return Refusal(code, [&] { Write(from, to, weights, force); });
  }

  // Name -> bytes in memory, from wherever they are.
  std::map<std::string, std::string> WeightsOf(const std::string& name) const {
    const onnx::ModelProto model = Parsed(Get(name));
    std::map<std::string, std::string> all;
    ForEachTensor(model, [&](const TensorProto& tensor) {
      std::string& bytes = all[tensor.name()];
      if (IsExternal(tensor)) {
        bytes = Get(ExternalEntry(tensor, "location"))
                    .substr(std::stoul(ExternalEntry(tensor, "offset")),
                            std::stoul(ExternalEntry(tensor, "length")));
      } else if (tensor.has_raw_data()) {
        bytes = tensor.raw_data();
      } else {
        bytes.resize(static_cast<size_t>(tensor.float_data_size()) * 4);
        std::memcpy(bytes.data(), tensor.float_data().data(), bytes.size());
      }
    });
    return all;
  }

  int ExternalCount(const std::string& name) const {
    const onnx::ModelProto model = Parsed(Get(name));
    int count = 0;
    ForEachTensor(model, [&](const TensorProto& tensor) {
      count += IsExternal(tensor) ? 1 : 0;
    });
    return count;
  }

  TemporaryFolder folder_;
};

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_UNIT_WRITER_WEIGHTS_FIXTURE_H_

// The part of Inference that says what is known of values.

#include <fmt/format.h>
#include <onnx/defs/tensor_proto_util.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "check/inference.h"
#include "check/tensor_data.h"
#include "check/type_match.h"
#include "model/op_schemas.h"
#include "model/tensors.h"
#include "onnx_expose/value_types.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Shapes, axes, sizes of parts: no node needs more of them, and a node may be
// walked many times.
constexpr uint64_t kMostElements = 1024;

// A list of numbers, or one, as a tensor.
template <typename List>
onnx::TensorProto MakeTensor(const List& list, bool scalar) {
  using Number =
      std::conditional_t<std::is_same_v<typename List::value_type, float>,
                         float, int64_t>;
  onnx::TensorProto tensor =
      onnx::ToTensor(std::vector<Number>(list.begin(), list.end()));
  if (!scalar) tensor.add_dims(static_cast<int64_t>(list.size()));
  return tensor;
}

}  // namespace

// What the library does with Constant nodes, so that nodes behind them see the
// value.
void Inference::RememberConstant(Frame& frame, const onnx::NodeProto& node,
                                 const NodeContext& context) {
  using onnx::AttributeProto;
  if (node.op_type() != "Constant" || !NormalDomain(node.domain()).empty() ||
      node.output_size() != 1) {
    return;
  }
  const std::string& name = node.output(0);
  const auto keep = [&](onnx::TensorProto tensor) {
    frame.constants.push_back(std::move(tensor));
    frame.data[name] = &frame.constants.back();
  };
  for (const auto& own : node.attribute()) {
    const AttributeProto* attribute = context.getAttribute(own.name());
    if (attribute == nullptr || Weight(*attribute) > kMostElements) continue;
    if (attribute->has_t() && IsReadable(attribute->t())) {
      frame.data[name] = &attribute->t();
    } else if (attribute->has_sparse_tensor()) {
      const auto& sparse = attribute->sparse_tensor();
      if (IsReadable(sparse.values()) && IsReadable(sparse.indices())) {
        frame.sparse[name] = &sparse;
      }
    } else if (attribute->type() == AttributeProto::INTS) {
      keep(MakeTensor(attribute->ints(), false));
    } else if (attribute->type() == AttributeProto::FLOATS) {
      keep(MakeTensor(attribute->floats(), false));
    } else if (attribute->type() == AttributeProto::INT) {
      keep(MakeTensor(std::vector<int64_t>{attribute->i()}, true));
    } else if (attribute->type() == AttributeProto::FLOAT) {
      keep(MakeTensor(std::vector<float>{attribute->f()}, true));
    }
  }
}

void Inference::Settle(Frame& frame, int node,
                       std::vector<onnx::TypeProto>& outputs) {
  const onnx::NodeProto& proto = subject_.node(node);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = proto.output(static_cast<int>(i));
    if (name.empty()) continue;
    if (!Tame(outputs[i], symbols_)) outputs[i].Clear();
    SettleValue(frame, name, outputs[i], node);
  }
}

void Inference::SettleValue(Frame& frame, const std::string& name,
                            onnx::TypeProto& type, int node) {
  std::vector<const onnx::TypeProto*> fitting;
  const auto compare = [&](const auto& declared, const char* kind) {
    const auto [begin, end] = declared.equal_range(name);
    for (auto entry = begin; entry != end; ++entry) {
      const onnx::TypeProto& other = entry->second->type();
      if (FitsDeclared(frame, kind, name, other, type, node)) {
        fitting.push_back(&other);
      }
    }
  };
  compare(frame.outputs, "output");
  compare(frame.infos, "value_info");
  for (const onnx::TypeProto* other : fitting) {
    if (type.value_case() != onnx::TypeProto::VALUE_NOT_SET) {
      FillIn(type, *other);
      continue;
    }
    type = *other;
    if (!Tame(type, symbols_)) type.Clear();
  }
  if (type.value_case() != onnx::TypeProto::VALUE_NOT_SET) {
    frame.types[name] = type;
  }
}

bool Inference::FitsDeclared(Frame& frame, const char* kind,
                             const std::string& name,
                             const onnx::TypeProto& declared,
                             const onnx::TypeProto& truth, int node) {
  const TypeMatch match = MatchTypes(declared, truth);
  if (match == TypeMatch::kFits) return true;
  onnx::TypeProto sense = declared;
  // Such a type is reported for itself.
  if (!Tame(sense, symbols_)) return false;
  const std::string place =
      subject_.places.In(frame.scope, fmt::format("{} {}", kind, Quoted(name)));
  const std::string what = fmt::format(
      "declares {}, but {} {}", TypeText(declared),
      node >= 0 ? subject_.places.LocalNode(node) + " computes" : "it is",
      TypeText(truth));
  Findings& findings = subject_.findings;
  if (match == TypeMatch::kSymbol) {
    findings.Warning(place, what,
                     "ONNX Runtime warns in each run with another size, and "
                     "its optimiser takes the fixed one for true");
    return false;
  }
  // Of inputs and initializers ONNX Runtime knows the type.
  if (match == TypeMatch::kType &&
      (node >= 0 || kind == std::string_view("input"))) {
    findings.Error(place, what, "ONNX Runtime refuses it as well");
    return false;
  }
  const char* note = node < 0 && match == TypeMatch::kType
                         ? "ONNX Runtime takes what it is"
                         : "ONNX Runtime warns and goes on, unless told to be "
                           "strict";
  if (frame.IsSilenced()) {
    findings.Warning(place, what, note);
  } else {
    findings.CheckerWarning(place, what, note);
  }
  return false;
}

void Inference::Fail(Frame& frame, int node, const std::string& what) {
  const int call = frame.Call();
  subject_.findings.Error(
      subject_.places.Node(node), what,
      call < 0 ? "" : "when called by " + subject_.places.Node(call));
  frame.failed = true;
}

const onnx::OpSchema* Inference::FindSchema(int root,
                                            const onnx::NodeProto& node,
                                            int version) {
  const std::string key =
      fmt::format("{}\n{}\n{}", root, node.domain(), node.op_type());
  const auto [entry, is_new] = schemas_.emplace(key, nullptr);
  if (is_new) {
    entry->second =
        OpSchemas::Instance().GetSchema(node.op_type(), version, node.domain());
  }
  return entry->second;
}

// External data is handed on: the library says that it can't read it, and ONNX
// Runtime says the same.
bool Inference::IsReadable(const onnx::TensorProto& tensor) const {
  return subject_.bad_tensors.count(&tensor) == 0 && !IsElided(tensor) &&
         ElementCount(tensor).value_or(0) <= kMostElements;
}

// Lists or tensors in attributes that aren't all here would be taken for
// shorter ones. Of a Constant only the tensor's type counts.
bool Inference::HasUnreadAttributes(const onnx::NodeProto& node) const {
  const bool constant = node.op_type() == "Constant";
  return std::any_of(
      node.attribute().begin(), node.attribute().end(),
      [&](const onnx::AttributeProto& attribute) {
        return IsElided(attribute) ||
               (attribute.has_t() &&
                (subject_.bad_tensors.count(&attribute.t()) > 0 ||
                 (!constant && IsElided(attribute.t()))));
      });
}

}  // namespace onnx_expose

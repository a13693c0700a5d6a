#include <fmt/format.h>

#include <string>
#include <unordered_map>

#include "check/rules.h"
#include "check/type_match.h"
#include "onnx_expose/element_types.h"
#include "onnx_expose/value_types.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

using onnx::TypeProto;

constexpr const char* kOrtFillsIn = "ONNX Runtime fills it in";

// What an input or output of the main graph must say and doesn't (onnx-facts
// 1.5); empty: nothing.
std::string MissingPart(const onnx::ValueInfoProto& info) {
  const TypeProto& type = info.type();
  const auto tensor = [](const auto& t) -> std::string {
    if (!t.has_elem_type()) return "has no element type";
    return t.has_shape() ? "" : "has no shape";
  };
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return tensor(type.tensor_type());
    case TypeProto::kSparseTensorType:
      return tensor(type.sparse_tensor_type());
    case TypeProto::kSequenceType:
      return type.sequence_type().has_elem_type() ? "" : "has no element type";
    case TypeProto::kOptionalType:
      return type.optional_type().has_elem_type() ? "" : "has no element type";
    case TypeProto::kMapType:
      if (!type.map_type().has_key_type()) return "has no key type";
      return type.map_type().has_value_type() ? "" : "has no value type";
    case TypeProto::kOpaqueType:
      return type.opaque_type().name().empty() ? "has no type name" : "";
    default:
      return "has no type";
  }
}

// Whether an element type is undefined or unknown anywhere in the type; the
// number goes to `element`, 0 also for one that isn't there.
bool HasBadElement(const TypeProto& type, int& element) {
  const auto bad = [&](int number) {
    element = number;
    return !IsElementType(number);
  };
  element = 0;
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return bad(type.tensor_type().elem_type());
    case TypeProto::kSparseTensorType:
      return bad(type.sparse_tensor_type().elem_type());
    case TypeProto::kSequenceType:
      return HasBadElement(type.sequence_type().elem_type(), element);
    case TypeProto::kOptionalType:
      return HasBadElement(type.optional_type().elem_type(), element);
    case TypeProto::kMapType:
      return bad(type.map_type().key_type()) ||
             HasBadElement(type.map_type().value_type(), element);
    case TypeProto::kOpaqueType:
      return false;
    default:
      return true;
  }
}

bool HasNegativeDim(const TypeProto& type) {
  const auto negative = [](const onnx::TensorShapeProto& shape) {
    for (const auto& dim : shape.dim()) {
      if (dim.dim_value() < 0) return true;
    }
    return false;
  };
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return negative(type.tensor_type().shape());
    case TypeProto::kSparseTensorType:
      return negative(type.sparse_tensor_type().shape());
    case TypeProto::kSequenceType:
      return HasNegativeDim(type.sequence_type().elem_type());
    case TypeProto::kOptionalType:
      return HasNegativeDim(type.optional_type().elem_type());
    default:
      return false;
  }
}

class TypeRules {
 public:
  TypeRules(Subject& subject, int scope) : subject_(subject), scope_(scope) {}

  void Check() {
    const onnx::GraphProto& graph = *subject_.graph(scope_);
    for (const auto& info : graph.input()) Check(info, "input");
    for (const auto& info : graph.output()) Check(info, "output");
    for (const auto& info : graph.value_info()) {
      // Nobody looks at entries for values that don't exist.
      if (subject_.index.FindIn(scope_, info.name()) >= 0) {
        Check(info, "value_info");
      }
    }
    CheckOverridables(graph);
  }

 private:
  void Check(const onnx::ValueInfoProto& info, const char* kind) {
    const std::string place = Place(kind, info.name());
    if (scope_ == 0 && kind != std::string_view("value_info")) {
      const std::string missing = MissingPart(info);
      if (!missing.empty()) {
        subject_.findings.Error(place, missing, MissingNote(missing, kind));
        if (missing == "has no element type") return;
      }
    }
    if (info.type().value_case() == TypeProto::VALUE_NOT_SET) return;
    int element = 0;
    if (HasBadElement(info.type(), element)) {
      subject_.findings.Error(
          place,
          element == 0
              ? "declares element type 0, which is none"
              : fmt::format("declares element type {}, which no version of "
                            "the standard known here gives",
                            element),
          kOnlyOrtRefuses);
    }
    if (HasNegativeDim(info.type())) {
      subject_.findings.Warning(
          place,
          fmt::format("declares a negative dim: {}", TypeText(info.type())),
          "ONNX Runtime takes it for an unknown one");
    }
  }

  static const char* MissingNote(const std::string& missing, const char* kind) {
    if (missing == "has no shape") return kOrtTakesIt;
    const bool output = kind == std::string_view("output");
    return missing == "has no type" && output ? kOrtFillsIn : "";
  }

  // Initializers that are inputs as well: checker and ONNX Runtime want the
  // two to agree.
  void CheckOverridables(const onnx::GraphProto& graph) {
    std::unordered_map<std::string_view, const TypeProto*> inputs;
    for (const auto& info : graph.input()) {
      inputs.emplace(info.name(), &info.type());
    }
    const auto check = [&](const std::string& name, const TypeProto& type) {
      const auto input = inputs.find(name);
      if (input == inputs.end()) return;
      const TypeMatch match = MatchTypes(*input->second, type);
      if (match != TypeMatch::kShape && match != TypeMatch::kType) return;
      subject_.findings.Error(
          Place("initializer", name),
          fmt::format("is {}, but the input of this name {}", TypeText(type),
                      TypeText(*input->second)));
    };
    for (const auto& tensor : graph.initializer()) {
      check(tensor.name(), TypeOf(tensor));
    }
    for (const auto& tensor : graph.sparse_initializer()) {
      check(tensor.values().name(), TypeOf(tensor));
    }
  }

  std::string Place(const char* kind, const std::string& name) const {
    return subject_.places.In(scope_, fmt::format("{} {}", kind, Quoted(name)));
  }

  Subject& subject_;
  const int scope_;
};

}  // namespace

void CheckTypes(Subject& subject) {
  for (size_t i = 0; i < subject.index.scopes().size(); ++i) {
    const int scope = static_cast<int>(i);
    if (subject.graph(scope) != nullptr) TypeRules(subject, scope).Check();
  }
}

}  // namespace onnx_expose

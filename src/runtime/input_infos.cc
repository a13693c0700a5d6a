#include "runtime/input_infos.h"

#include <fmt/format.h>

#include "onnx_expose/element_types.h"
#include "runtime/values.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

std::vector<InputInfo::Dim> DimsOf(
    const Ort::ConstTensorTypeAndShapeInfo& info) {
  const std::vector<int64_t> sizes = info.GetShape();
  std::vector<const char*> symbols(sizes.size());
  info.GetSymbolicDimensions(symbols.data(), symbols.size());
  std::vector<InputInfo::Dim> dims;
  for (size_t i = 0; i < sizes.size(); ++i) {
    dims.push_back({sizes[i], symbols[i] == nullptr ? "" : symbols[i]});
  }
  return dims;
}

std::string TensorText(const Ort::ConstTensorTypeAndShapeInfo& info) {
  std::vector<std::string> dims;
  for (const InputInfo::Dim& dim : DimsOf(info)) {
    dims.push_back(dim.size >= 0        ? std::to_string(dim.size)
                   : dim.symbol.empty() ? "?"
                                        : dim.symbol);
  }
  return fmt::format("{}[{}]",
                     ElementName(FromRuntimeType(info.GetElementType())),
                     Joined(dims, ","));
}

template <typename Type>
std::string TextOf(const Type& type) {
  switch (type.GetONNXType()) {
    case ONNX_TYPE_TENSOR:
      return TensorText(type.GetTensorTypeAndShapeInfo());
    case ONNX_TYPE_SPARSETENSOR:
      return "sparse";
    case ONNX_TYPE_SEQUENCE:
      return fmt::format(
          "seq({})",
          TextOf(type.GetSequenceTypeInfo().GetSequenceElementType()));
    case ONNX_TYPE_OPTIONAL:
      return fmt::format(
          "optional({})",
          TextOf(type.GetOptionalTypeInfo().GetOptionalElementType()));
    case ONNX_TYPE_MAP: {
      const auto map = type.GetMapTypeInfo();
      return fmt::format("map({},{})",
                         ElementName(FromRuntimeType(map.GetMapKeyType())),
                         TextOf(map.GetMapValueType()));
    }
    default:
      return "?";
  }
}

template <typename Type>
void Describe(const Type& type, InputInfo& info) {
  switch (type.GetONNXType()) {
    case ONNX_TYPE_TENSOR: {
      const auto tensor = type.GetTensorTypeAndShapeInfo();
      info.kind = InputInfo::Kind::kTensor;
      info.element_type = FromRuntimeType(tensor.GetElementType());
      info.dims = DimsOf(tensor);
      return;
    }
    case ONNX_TYPE_SEQUENCE: {
      const Ort::TypeInfo element =
          type.GetSequenceTypeInfo().GetSequenceElementType();
      info.kind = InputInfo::Kind::kSequence;
      if (element.GetONNXType() == ONNX_TYPE_TENSOR) {
        info.element_type = FromRuntimeType(
            element.GetTensorTypeAndShapeInfo().GetElementType());
      }
      return;
    }
    case ONNX_TYPE_OPTIONAL:
      info.optional = true;
      Describe(type.GetOptionalTypeInfo().GetOptionalElementType(), info);
      return;
    case ONNX_TYPE_MAP:
      info.kind = InputInfo::Kind::kMap;
      return;
    default:
      info.kind = InputInfo::Kind::kOther;
  }
}

InputInfo Describe(std::string name, const Ort::TypeInfo& type) {
  InputInfo info;
  info.name = std::move(name);
  info.type = TextOf(type);
  Describe(type, info);
  return info;
}

}  // namespace

std::string RuntimeTypeText(const Ort::ConstTypeInfo& type) {
  return TextOf(type);
}

std::string RuntimeTypeText(const Ort::TypeInfo& type) { return TextOf(type); }

std::vector<InputInfo> InputInfos(const Ort::Session& session) {
  Ort::AllocatorWithDefaultOptions allocator;
  std::vector<InputInfo> infos;
  for (size_t i = 0; i < session.GetInputCount(); ++i) {
    infos.push_back(Describe(session.GetInputNameAllocated(i, allocator).get(),
                             session.GetInputTypeInfo(i)));
  }
  for (size_t i = 0; i < session.GetOverridableInitializerCount(); ++i) {
    infos.push_back(Describe(
        session.GetOverridableInitializerNameAllocated(i, allocator).get(),
        session.GetOverridableInitializerTypeInfo(i)));
    infos.back().has_default = true;
  }
  return infos;
}

}  // namespace onnx_expose

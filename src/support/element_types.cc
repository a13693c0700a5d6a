#include "onnx_expose/element_types.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "onnx_expose/error.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

struct Element {
  std::string_view name;
  int bits;
};

// By TensorProto.DataType, onnx 1.23 (opset 28).
constexpr std::array<Element, 29> kElements = {{
    {"undefined", 0},      {"float", 32},     {"uint8", 8},
    {"int8", 8},           {"uint16", 16},    {"int16", 16},
    {"int32", 32},         {"int64", 64},     {"string", 0},
    {"bool", 8},           {"float16", 16},   {"double", 64},
    {"uint32", 32},        {"uint64", 64},    {"complex64", 64},
    {"complex128", 128},   {"bfloat16", 16},  {"float8e4m3fn", 8},
    {"float8e4m3fnuz", 8}, {"float8e5m2", 8}, {"float8e5m2fnuz", 8},
    {"uint4", 4},          {"int4", 4},       {"float4e2m1", 4},
    {"float8e8m0", 8},     {"uint2", 2},      {"int2", 2},
    {"float6e2m3", 6},     {"float6e3m2", 6},
}};

}  // namespace

bool IsElementType(int type) {
  return type > 0 && type < static_cast<int>(kElements.size());
}

int ElementBits(int type) {
  return IsElementType(type) ? kElements[static_cast<size_t>(type)].bits : 0;
}

std::string ElementName(int type) {
  if (!IsElementType(type)) return fmt::format("elem{}", type);
  return std::string(kElements[static_cast<size_t>(type)].name);
}

int ElementType(std::string_view name) {
  std::vector<std::string> names;
  for (size_t i = 1; i < kElements.size(); ++i) {
    if (kElements[i].name == name) return static_cast<int>(i);
    names.emplace_back(kElements[i].name);
  }
  const std::string near = Nearest(name, names);
  throw Error(ExitCode::kUsage, "",
              {fmt::format("there is no element type {}", Quoted(name)), "",
               near.empty() ? "element types are float, float16, int64, uint8, "
                              "bool, string, ..."
                            : fmt::format("did you mean {}?", Quoted(near))});
}

}  // namespace onnx_expose

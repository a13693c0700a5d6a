#include "tensor/data_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "onnx_expose/element_types.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

std::string SequenceText(const Data& data, const std::string& declared) {
  if (!data.parts.empty() && data.parts[0].kind != Data::Kind::kTensor) {
    return fmt::format("seq({})", DataText(data.parts[0], ""));
  }
  const int element =
      data.parts.empty() ? data.element_type : data.parts[0].tensor.type;
  if (element != 0) return fmt::format("seq({})", ElementName(element));
  return declared.starts_with("seq(") ? declared : "seq(?)";
}

}  // namespace

std::string DataText(const Data& data, const std::string& declared) {
  switch (data.kind) {
    case Data::Kind::kTensor:
      return fmt::format("{}[{}]", ElementName(data.tensor.type),
                         Joined(data.tensor.shape, ","));
    case Data::Kind::kSequence:
      return SequenceText(data, declared);
    case Data::Kind::kMap:
      return fmt::format("map({},{})", ElementName(data.parts[0].tensor.type),
                         ElementName(data.parts[1].tensor.type));
    case Data::Kind::kNone:
      break;
  }
  if (declared.starts_with("optional(")) return declared;
  return fmt::format("optional({})", declared.empty() ? "?" : declared);
}

int ElementAt(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  const size_t end = std::min(text.find_first_of("[](),", at), text.size());
  const std::string_view name = text.substr(at, end - at);
  for (int type = 1; IsElementType(type); ++type) {
    if (ElementName(type) == name) return type;
  }
  return 0;
}

}  // namespace onnx_expose

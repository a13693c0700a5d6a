#include "compare/flattened.h"

#include <fmt/format.h>

#include <utility>

#include "onnx_expose/element_types.h"
#include "support/text.h"
#include "tensor/element_bits.h"
#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

std::string KindText(const Data& data) {
  switch (data.kind) {
    case Data::Kind::kTensor:
      return "a tensor";
    case Data::Kind::kSequence:
      return "a sequence";
    case Data::Kind::kMap:
      return "a map";
    case Data::Kind::kNone:
      break;
  }
  return "none";
}

}  // namespace

void Flattened::Say(Verdict verdict, std::string reason, bool complete) {
  complete_ = complete_ && complete;
  if (mismatch_.verdict == Verdict::kIdentical) {
    mismatch_ = {verdict, std::move(reason)};
  }
}

void Flattened::Add(const Data& a, const Data& b) {
  if (a.kind != b.kind) {
    if (a.kind == Data::Kind::kNone || b.kind == Data::Kind::kNone) {
      return Say(Verdict::kShape, "none on one side");
    }
    return Say(Verdict::kType, KindText(a) + " against " + KindText(b));
  }
  if (a.kind == Data::Kind::kTensor) return AddTensors(a.tensor, b.tensor);
  if (a.parts.size() != b.parts.size()) {
    return Say(Verdict::kShape, fmt::format("{} against {} tensors",
                                            a.parts.size(), b.parts.size()));
  }
  for (size_t i = 0; i < a.parts.size(); ++i) Add(a.parts[i], b.parts[i]);
}

void Flattened::AddTensors(const Tensor& a, const Tensor& b) {
  if (a.shape != b.shape) {
    return Say(Verdict::kShape,
               fmt::format("shape [{}] against [{}]", Joined(a.shape, ","),
                           Joined(b.shape, ",")));
  }
  const bool numbers = IsNumber(a.type) && IsNumber(b.type);
  const bool floats = IsFloatType(a.type) && IsFloatType(b.type);
  if (a.type != b.type && (!floats || same_types_)) {
    Say(Verdict::kType,
        fmt::format("{} against {}", ElementName(a.type), ElementName(b.type)),
        numbers);
    if (!numbers) return;
  }
  pairs_.push_back({&a, &b});
}

}  // namespace onnx_expose

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "onnx_expose/report.h"
#include "report/bitmap.h"
#include "report/value_elements.h"
#include "tensor/file_name.h"

namespace onnx_expose {
namespace {

constexpr uint64_t kElementsOfPicture = 1 << 18;
constexpr int kGap = 12;

Range Both(Range a, Range b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Bitmap SideBySide(const std::vector<Bitmap>& parts) {
  int width = -kGap, height = 1;
  for (const Bitmap& part : parts) {
    width += part.width() + kGap;
    height = std::max(height, part.height());
  }
  Bitmap all(width, height);
  int left = 0;
  for (const Bitmap& part : parts) {
    all.Paste(part, left, 0);
    left += part.width() + kGap;
  }
  return all;
}

std::optional<Bitmap> ElementsPicture(const ReportSubject& subject,
                                      const ReportSubject::Value& value) {
  const ValueElements elements =
      ReduceElements(subject, value, kElementsOfPicture);
  std::optional<Range> common;
  for (const auto* side : {&elements.a, &elements.b}) {
    if (!*side) continue;
    const Range range = RangeOf(**side);
    common = common ? Both(*common, range) : range;
  }
  std::vector<Bitmap> parts;
  for (const auto* side : {&elements.a, &elements.b}) {
    if (*side) parts.push_back(DrawTensor(**side, elements.view, *common));
  }
  if (elements.difference) {
    const ReducedTensor& difference = *elements.difference;
    parts.push_back(DrawTensor(difference, elements.view, RangeOf(difference)));
  }
  if (parts.empty()) return std::nullopt;
  return SideBySide(parts);
}

}  // namespace

std::vector<PictureFile> ValuePictures(const ReportSubject& subject,
                                       const ReportSubject::Value& value) {
  const DumpedValue& any = value.any();
  const std::string stem = FileStem(any.index, any.name, any.scope);
  std::vector<PictureFile> files;
  if (const auto picture = ElementsPicture(subject, value)) {
    files.push_back({stem + ".png", picture->Png()});
  }
  const char* ends[] = {".histogram.png", ".histogram_b.png"};
  const DumpedValue* sides[] = {value.a, value.b};
  for (size_t i = 0; i < 2; ++i) {
    if (sides[i] == nullptr || sides[i]->stats.finite == 0) continue;
    files.push_back({stem + ends[i], DrawHistogram(sides[i]->stats).Png()});
  }
  return files;
}

}  // namespace onnx_expose

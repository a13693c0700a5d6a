// Event files as TensorBoard reads them: TFRecord frames (length, its checksum,
// message, its checksum: tensorflow/core/lib/io/record_writer.h) around Event
// messages (tensorflow/core/util/event.proto, framework/summary.proto), written
// field by field, for a few fields of four messages are all that is needed.

#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "onnx_expose/report.h"
#include "report/bitmap.h"
#include "report/value_elements.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

constexpr uint64_t kPictureBudget = 1 << 14;

void AppendLittle(uint64_t number, int bytes, std::string& text) {
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(number >> (8 * i) & 0xff);
  }
}

// CRC-32C (Castagnoli), of which zlib has none.
uint32_t Crc32c(std::string_view bytes) {
  static const auto table = [] {
    std::array<uint32_t, 256> all{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t crc = i;
      for (int bit = 0; bit < 8; ++bit) {
        crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78U : 0U);
      }
      all[i] = crc;
    }
    return all;
  }();
  uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  }
  return ~crc;
}

uint32_t Masked(uint32_t crc) { return std::rotr(crc, 15) + 0xa282ead8U; }

std::string Record(const std::string& message) {
  std::string length;
  AppendLittle(message.size(), 8, length);
  std::string record = length;
  AppendLittle(Masked(Crc32c(length)), 4, record);
  record += message;
  AppendLittle(Masked(Crc32c(message)), 4, record);
  return record;
}

// A protobuf message, field by field.
class MessageText {
 public:
  MessageText& Varint(int field, uint64_t number) {
    Tag(field, 0);
    return Raw(number);
  }
  MessageText& Double(int field, double number) {
    Tag(field, 1);
    AppendLittle(std::bit_cast<uint64_t>(number), 8, text_);
    return *this;
  }
  MessageText& Float(int field, float number) {
    Tag(field, 5);
    AppendLittle(std::bit_cast<uint32_t>(number), 4, text_);
    return *this;
  }
  MessageText& Bytes(int field, std::string_view bytes) {
    Tag(field, 2);
    Raw(bytes.size());
    text_ += bytes;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  void Tag(int field, int wire) {
    Raw(static_cast<uint64_t>(field) << 3 | static_cast<uint64_t>(wire));
  }
  MessageText& Raw(uint64_t number) {
    for (; number >= 128; number >>= 7) {
      text_ += static_cast<char>(number | 128);
    }
    text_ += static_cast<char>(number);
    return *this;
  }

  std::string text_;
};

// Tags are paths: their slashes group what TensorBoard shows.
std::string TagOf(const char* kind, const DumpedValue& value) {
  return std::string(kind) + "/" + Printable(value.name);
}

std::string ScalarSummary(const std::string& tag, double number) {
  return MessageText()
      .Bytes(1, tag)
      .Float(2, static_cast<float>(number))
      .text();
}

std::string HistogramSummary(const std::string& tag, const Statistics& stats) {
  std::string limits, counts;
  const double width = (stats.max - stats.min) / Statistics::kBins;
  for (size_t bin = 0; bin < stats.histogram.size(); ++bin) {
    const double limit = stats.min + width * static_cast<double>(bin + 1);
    AppendLittle(std::bit_cast<uint64_t>(limit), 8, limits);
    AppendLittle(
        std::bit_cast<uint64_t>(static_cast<double>(stats.histogram[bin])), 8,
        counts);
  }
  const auto finite = static_cast<double>(stats.finite);
  const std::string histogram = MessageText()
                                    .Double(1, stats.min)
                                    .Double(2, stats.max)
                                    .Double(3, finite)
                                    .Double(4, stats.mean * finite)
                                    .Double(5, stats.l2 * stats.l2)
                                    .Bytes(6, limits)
                                    .Bytes(7, counts)
                                    .text();
  return MessageText().Bytes(1, tag).Bytes(5, histogram).text();
}

std::string ImageSummary(const std::string& tag, const Bitmap& bitmap) {
  constexpr int kRgb = 3;
  const std::string image =
      MessageText()
          .Varint(1, static_cast<uint64_t>(bitmap.height()))
          .Varint(2, static_cast<uint64_t>(bitmap.width()))
          .Varint(3, kRgb)
          .Bytes(4, bitmap.Png())
          .text();
  return MessageText().Bytes(1, tag).Bytes(4, image).text();
}

std::vector<std::string> SummariesOf(const DumpedValue& value) {
  const Statistics& stats = value.stats;
  std::vector<std::string> all;
  const auto scalar = [&](const char* kind, double number) {
    all.push_back(ScalarSummary(TagOf(kind, value), number));
  };
  if (stats.finite > 0) {
    scalar("min", stats.min);
    scalar("max", stats.max);
    scalar("mean", stats.mean);
    scalar("std", stats.std);
    all.push_back(HistogramSummary(TagOf("elements", value), stats));
  }
  scalar("zeros", static_cast<double>(stats.zeros));
  scalar("nan", static_cast<double>(stats.nan));
  scalar("inf", static_cast<double>(stats.pos_inf + stats.neg_inf));
  return all;
}

MessageText Event(double seconds) { return MessageText().Double(1, seconds); }

}  // namespace

std::string TensorBoardStart(double seconds) {
  return Record(Event(seconds).Bytes(3, "brain.Event:2").text());
}

std::string TensorBoardEvents(const ReportSubject& subject, uint64_t step,
                              double seconds) {
  std::string text;
  for (const ReportSubject::Value& value : subject.values()) {
    if (value.a == nullptr) continue;
    MessageText summary;
    for (const std::string& each : SummariesOf(*value.a)) {
      summary.Bytes(1, each);
    }
    const ValueElements elements =
        ReduceElements(subject, value, kPictureBudget);
    if (elements.a) {
      summary.Bytes(1, ImageSummary(TagOf("picture", *value.a),
                                    DrawTensor(*elements.a, elements.view,
                                               RangeOf(*elements.a))));
    }
    text +=
        Record(Event(seconds).Varint(2, step).Bytes(5, summary.text()).text());
  }
  return text;
}

}  // namespace onnx_expose

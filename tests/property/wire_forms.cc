#include "tests/property/wire_forms.h"

#include <utility>
#include <vector>

#include "tests/support/wire.h"

namespace onnx_expose::testing {
namespace {

using google::protobuf::FieldDescriptor;

uint64_t TakeVarint(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[0]);
    bytes.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}

std::string_view Take(std::string_view& bytes, size_t size) {
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

struct Record {
  uint32_t number;
  std::string bytes;
};

class Rewriter {
 public:
  explicit Rewriter(Dice& dice) : dice_(dice) {}

  std::string Message(std::string_view bytes,
                      const google::protobuf::Descriptor& type) {
    std::vector<Record> records;
    while (!bytes.empty()) {
      const char* begin = bytes.data();
      const auto tag = static_cast<uint32_t>(TakeVarint(bytes));
      const uint32_t wire = tag & 7;
      if (wire == 3) {  // an unknown group: the rest stays as it is
        records.push_back({0, std::string(begin, bytes.data() + bytes.size())});
        break;
      }
      if (wire != 2) {
        if (wire == 0) TakeVarint(bytes);
        if (wire == 1) Take(bytes, 8);
        if (wire == 5) Take(bytes, 4);
        records.push_back({tag >> 3, std::string(begin, bytes.data())});
        continue;
      }
      const size_t size = TakeVarint(bytes);
      const auto* field = type.FindFieldByNumber(static_cast<int>(tag >> 3));
      records.push_back({tag >> 3, Content(tag, Take(bytes, size), field)});
    }
    return Reordered(std::move(records));
  }

 private:
  std::string Content(uint32_t tag, std::string_view content,
                      const FieldDescriptor* field) {
    if (field != nullptr && field->is_packable() && dice_.Chance(30) &&
        content.size() < 100000) {
      return Unpacked(tag >> 3, content, *field);
    }
    std::string inner(content);
    if (field != nullptr && field->message_type() != nullptr) {
      inner = Message(content, *field->message_type());
    }
    return LengthField(tag >> 3, inner, dice_.Chance(10) ? dice_.Below(3) : 0);
  }

  static std::string Unpacked(uint32_t number, std::string_view content,
                              const FieldDescriptor& field) {
    std::string out;
    while (!content.empty()) {
      const bool is_float = field.type() == FieldDescriptor::TYPE_FLOAT;
      const bool is_double = field.type() == FieldDescriptor::TYPE_DOUBLE;
      out += Tag(number, is_float ? 5 : is_double ? 1 : 0);
      if (is_float || is_double) {
        out += Take(content, is_float ? 4 : 8);
      } else {
        out += Varint(TakeVarint(content));
      }
    }
    return out;
  }

  // Those of one field keep their order; so do unknown ones.
  std::string Reordered(std::vector<Record> records) {
    if (dice_.Chance(40)) {
      for (size_t i = 1; i < records.size(); ++i) {
        const auto& before = records[i - 1];
        if (before.number == records[i].number || before.number > 100 ||
            before.number == 0 || records[i].number > 100 ||
            records[i].number == 0 || dice_.Chance(50)) {
          continue;
        }
        std::swap(records[i - 1], records[i]);
      }
    }
    std::string bytes;
    for (const Record& record : records) bytes += record.bytes;
    return bytes;
  }

  Dice& dice_;
};

}  // namespace

std::string OtherWireForm(Dice& dice, std::string_view bytes,
                          const google::protobuf::Descriptor& type) {
  return Rewriter(dice).Message(bytes, type);
}

}  // namespace onnx_expose::testing

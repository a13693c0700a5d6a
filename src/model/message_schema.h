#ifndef ONNX_EXPOSE_MODEL_MESSAGE_SCHEMA_H_
#define ONNX_EXPOSE_MODEL_MESSAGE_SCHEMA_H_

#include <array>
#include <cstdint>
#include <string>

namespace onnx_expose {

// What the wire engine must know of a message type: which fields are messages
// in turn. Built once from the ONNX library's descriptors.
struct MessageSchema {
  enum class Kind { kOther, kTensor, kAttribute, kSparseTensor };

  struct Field {
    bool known = false;
    bool repeated = false;
    const MessageSchema* message = nullptr;  // null: not a message
  };

  Kind kind = Kind::kOther;
  // Whether payloads can lie in this message or below.
  bool holds_payloads = false;
  // ONNX numbers its fields from 1 to 25.
  std::array<Field, 64> fields;

  const Field& field(uint32_t number) const {
    return fields[number < fields.size() ? number : 0];
  }
};

const MessageSchema& ModelSchema();

// "graph" for a field of ModelProto and so on, for messages; the number if it
// has no name.
std::string FieldName(const MessageSchema& schema, uint32_t number);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_MESSAGE_SCHEMA_H_

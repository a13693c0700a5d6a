#include "model/message_schema.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <memory>

namespace onnx_expose {
namespace {

using google::protobuf::Descriptor;

class SchemaTable {
 public:
  SchemaTable() {
    model_ = Add(onnx::ModelProto::descriptor());
    // Until nothing changes: GraphProto and NodeProto contain each other.
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [descriptor, schema] : schemas_) {
        bool holds = schema->kind != MessageSchema::Kind::kOther;
        for (const auto& field : schema->fields) {
          holds = holds ||
                  (field.message != nullptr && field.message->holds_payloads);
        }
        changed = changed || holds != schema->holds_payloads;
        schema->holds_payloads = holds;
      }
    }
  }

  const MessageSchema& model() const { return *model_; }

  const Descriptor* DescriptorOf(const MessageSchema& schema) const {
    for (const auto& [descriptor, known] : schemas_) {
      if (known.get() == &schema) return descriptor;
    }
    return nullptr;
  }

 private:
  const MessageSchema* Add(const Descriptor* descriptor) {
    auto& place = schemas_[descriptor];
    if (place != nullptr) return place.get();
    place = std::make_unique<MessageSchema>();
    MessageSchema& schema = *place;
    if (descriptor == onnx::TensorProto::descriptor()) {
      schema.kind = MessageSchema::Kind::kTensor;
    } else if (descriptor == onnx::AttributeProto::descriptor()) {
      schema.kind = MessageSchema::Kind::kAttribute;
    } else if (descriptor == onnx::SparseTensorProto::descriptor()) {
      schema.kind = MessageSchema::Kind::kSparseTensor;
    }
    for (int i = 0; i < descriptor->field_count(); ++i) {
      const auto* field = descriptor->field(i);
      const auto number = static_cast<size_t>(field->number());
      if (number >= schema.fields.size()) continue;
      schema.fields[number].known = true;
      schema.fields[number].repeated = field->is_repeated();
      if (field->message_type() != nullptr) {
        schema.fields[number].message = Add(field->message_type());
      }
    }
    return &schema;
  }

  std::map<const Descriptor*, std::unique_ptr<MessageSchema>> schemas_;
  const MessageSchema* model_ = nullptr;
};

const SchemaTable& Table() {
  static const SchemaTable table;
  return table;
}

}  // namespace

const MessageSchema& ModelSchema() { return Table().model(); }

std::string FieldName(const MessageSchema& schema, uint32_t number) {
  const Descriptor* descriptor = Table().DescriptorOf(schema);
  const auto* field =
      descriptor == nullptr || number > 100000
          ? nullptr
          : descriptor->FindFieldByNumber(static_cast<int>(number));
  return field == nullptr ? fmt::format("{}", number) : field->name();
}

}  // namespace onnx_expose

#include "model/op_schemas.h"

#include <onnx/defs/operator_sets.h>
#include <onnx/defs/operator_sets_ml.h>

#include <iterator>
#include <utility>

namespace onnx_expose {
namespace {

struct Entry {
  std::string_view op;
  std::string_view domain;
  int version;
  onnx::OpSchema (*build)();
};

// What the list calls the domains.
constexpr const char* Onnx = onnx::ONNX_DOMAIN;
constexpr const char* OnnxML = onnx::AI_ONNX_ML_DOMAIN;

// cmake/OpSchemas.cmake takes the list from ONNX's headers.
constexpr Entry kEntries[] = {
#define ONNX_EXPOSE_SCHEMA(domain, version, op)                  \
  {#op, domain, version,                                         \
   &onnx::GetOpSchema<onnx::ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME( \
       domain, version, op)>},
#include <op_schemas.inc>
#undef ONNX_EXPOSE_SCHEMA
};

}  // namespace

const OpSchemas& OpSchemas::Instance() {
  static const OpSchemas schemas;
  return schemas;
}

OpSchemas::OpSchemas() : built_(std::size(kEntries)) {
  for (size_t i = 0; i < std::size(kEntries); ++i) {
    by_op_[kEntries[i].op].push_back(i);
  }
}

const onnx::OpSchema* OpSchemas::GetSchema(const std::string& op, int version,
                                           const std::string& domain) const {
  // Domains of which little is used and nothing listed: training and preview.
  if (domain != Onnx && domain != OnnxML) {
    const auto& known =
        onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
    return known.count(domain) == 0
               ? nullptr
               : onnx::OpSchemaRegistry::Schema(op, version, domain);
  }
  const auto of_op = by_op_.find(op);
  if (of_op == by_op_.end()) return nullptr;
  const Entry* best = nullptr;
  for (const size_t i : of_op->second) {
    const Entry& entry = kEntries[i];
    if (entry.domain == domain && entry.version <= version &&
        (best == nullptr || entry.version > best->version)) {
      best = &entry;
    }
  }
  if (best == nullptr) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& schema = built_[static_cast<size_t>(best - kEntries)];
  if (schema == nullptr) {
    auto fresh = std::make_unique<onnx::OpSchema>(best->build());
    fresh->Finalize();
    schema = std::move(fresh);
  }
  return schema.get();
}

}  // namespace onnx_expose

#ifndef ONNX_EXPOSE_MODEL_OP_SCHEMAS_H_
#define ONNX_EXPOSE_MODEL_OP_SCHEMAS_H_

#include <onnx/defs/schema.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace onnx_expose {

// The schemas of ONNX's operators, each built when it is first asked for:
// ONNX's own registry builds all 650 at once, which was most of the time that
// exposing values of a small model took (issue 3).
class OpSchemas final : public onnx::ISchemaRegistry {
 public:
  static const OpSchemas& Instance();

  // The newest schema that is not newer than `version`, or null. Always the
  // same object for the same schema.
  const onnx::OpSchema* GetSchema(const std::string& op, int version,
                                  const std::string& domain) const override;

 private:
  OpSchemas();

  std::unordered_map<std::string_view, std::vector<size_t>> by_op_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<const onnx::OpSchema>> built_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_OP_SCHEMAS_H_

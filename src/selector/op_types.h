#ifndef ONNX_EXPOSE_SELECTOR_OP_TYPES_H_
#define ONNX_EXPOSE_SELECTOR_OP_TYPES_H_

#include <onnx/onnx_pb.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnx_expose {

// What --ops takes: "Conv" is that op type in any domain, "DOMAIN::Conv" in
// that one, "ai.onnx::Conv" in the default domain.
struct OpType {
  explicit OpType(std::string_view text);

  std::optional<std::string> domain;  // as NormalDomain spells it
  std::string name;
};

// "Relu", "com.microsoft::Gelu": how an op is written so that it means this
// one and, in the default domain, reads as everybody writes it.
std::string OpText(const onnx::NodeProto& node);

// Several op types at once.
class OpTypeList {
 public:
  // Throws Error(kUsage), in the name of `flag`, if one is empty.
  OpTypeList(std::string_view flag, const std::vector<std::string>& texts);

  // The op types as written, each once.
  const std::vector<std::string>& texts() const { return texts_; }

  // Appends the indices in texts() of those that the node has.
  void Match(const onnx::NodeProto& node, std::vector<int>& found) const;

 private:
  using Entry = std::pair<std::optional<std::string>, int>;  // domain, number

  std::vector<std::string> texts_;
  std::map<std::string, std::vector<Entry>, std::less<>> entries_;  // by name
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SELECTOR_OP_TYPES_H_

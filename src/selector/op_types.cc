#include "selector/op_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "onnx_expose/error.h"
#include "onnx_expose/graph_index.h"

namespace onnx_expose {

OpType::OpType(std::string_view text) {
  const size_t mark = text.rfind("::");
  if (mark == std::string_view::npos) {
    name = text;
  } else {
    domain = NormalDomain(text.substr(0, mark));
    name = text.substr(mark + 2);
  }
}

std::string OpText(const onnx::NodeProto& node) {
  const std::string_view domain = NormalDomain(node.domain());
  if (domain.empty()) return node.op_type();
  return fmt::format("{}::{}", domain, node.op_type());
}

OpTypeList::OpTypeList(std::string_view flag,
                       const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    OpType op(text);
    if (op.name.empty()) {
      throw Error(ExitCode::kUsage, "",
                  {fmt::format("{}: an op type is empty", flag), "",
                   "write op types with a comma between them: Conv,Gemm"});
    }
    if (std::find(texts_.begin(), texts_.end(), text) != texts_.end()) continue;
    entries_[op.name].emplace_back(std::move(op.domain),
                                   static_cast<int>(texts_.size()));
    texts_.push_back(text);
  }
}

void OpTypeList::Match(const onnx::NodeProto& node,
                       std::vector<int>& found) const {
  const auto entries = entries_.find(node.op_type());
  if (entries == entries_.end()) return;
  for (const auto& [domain, number] : entries->second) {
    if (!domain.has_value() || *domain == NormalDomain(node.domain())) {
      found.push_back(number);
    }
  }
}

}  // namespace onnx_expose

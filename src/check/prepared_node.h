#ifndef ONNX_EXPOSE_CHECK_PREPARED_NODE_H_
#define ONNX_EXPOSE_CHECK_PREPARED_NODE_H_

#include <onnx/onnx_pb.h>

#include <optional>

namespace onnx_expose {

// A node as the ONNX checker can be given it: it would open the files of
// external tensors, miss the data of elided ones, and walk into bodies, which
// are checked on their own. So tensors and graphs in attributes are replaced
// by the smallest valid ones. Refers to `node` where there are none.
class PreparedNode {
 public:
  explicit PreparedNode(const onnx::NodeProto& node);

  const onnx::NodeProto& node() const {
    return copy_.has_value() ? *copy_ : *original_;
  }

 private:
  const onnx::NodeProto* original_;
  std::optional<onnx::NodeProto> copy_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_PREPARED_NODE_H_

#ifndef ONNX_EXPOSE_CHECK_NODE_CONTEXT_H_
#define ONNX_EXPOSE_CHECK_NODE_CONTEXT_H_

#include <onnx/defs/shape_inference.h>
#include <onnx/onnx_pb.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check/frame.h"

namespace onnx_expose {

// Makes what infers a body of the node, by attribute name; null: no body.
using MakeBody =
    std::function<std::unique_ptr<onnx::GraphInferencer>(const std::string&)>;

// What an operator's inference function sees of its node. Throws at an index
// out of range, as the onnx library's own does.
class NodeContext : public onnx::InferenceContext {
 public:
  NodeContext(const onnx::NodeProto& node, const Frame& frame,
              MakeBody make_body);

  const onnx::AttributeProto* getAttribute(
      const std::string& name) const override;
  size_t getNumInputs() const override { return inputs_.size(); }
  const onnx::TypeProto* getInputType(size_t index) const override;
  bool hasInput(size_t index) const override;
  const onnx::TensorProto* getInputData(size_t index) const override;
  const onnx::SparseTensorProto* getInputSparseData(
      size_t index) const override;
  // Values that data propagation would know; the checker runs without.
  const onnx::TensorShapeProto* getSymbolicInput(size_t index) const override;
  size_t getNumOutputs() const override { return outputs_.size(); }
  onnx::TypeProto* getOutputType(size_t index) override;
  bool hasOutput(size_t index) override;
  onnx::GraphInferencer* getGraphAttributeInferencer(
      const std::string& name) override;
  std::string getDisplayName() const override;

  std::vector<onnx::TypeProto>& outputs() { return outputs_; }
  // Whether the type of an input that is there is unknown.
  bool HasUnknownInput() const;
  // Whether there is an input that is known to be something else than a dense
  // tensor.
  bool HasInputThatIsNoTensor() const;

 private:
  const std::string& InputName(size_t index) const;

  const onnx::NodeProto& node_;
  const Frame& frame_;
  MakeBody make_body_;
  std::vector<const onnx::TypeProto*> inputs_;
  std::vector<onnx::TypeProto> outputs_;
  std::map<std::string, std::unique_ptr<onnx::GraphInferencer>> bodies_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_NODE_CONTEXT_H_

#ifndef ONNX_EXPOSE_CHECK_INFERENCE_BODY_H_
#define ONNX_EXPOSE_CHECK_INFERENCE_BODY_H_

#include <onnx/defs/shape_inference.h>
#include <onnx/onnx_pb.h>

#include <cstddef>
#include <vector>

#include "check/inference.h"

namespace onnx_expose {

// Infers a body for the operator that holds it.
class Inference::Body : public onnx::GraphInferencer {
 public:
  Body(Inference& inference, Frame& outer, int scope)
      : inference_(inference), outer_(outer), scope_(scope) {}

  std::vector<const onnx::TypeProto*> doInferencing(
      const std::vector<const onnx::TypeProto*>& inputs,
      const std::vector<const onnx::TensorProto*>& data) override;

 private:
  void CheckInputs(const onnx::GraphProto& graph, size_t given) const;
  std::vector<const onnx::TypeProto*> Outputs(Frame& frame,
                                              const onnx::GraphProto& graph);

  Inference& inference_;
  Frame& outer_;
  const int scope_;
  std::vector<onnx::TypeProto> outputs_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_INFERENCE_BODY_H_

#ifndef ONNX_EXPOSE_PIPELINE_INTRODUCED_H_
#define ONNX_EXPOSE_PIPELINE_INTRODUCED_H_

#include "onnx_expose/compare_models.h"

namespace onnx_expose {

// Fills in ComparedValue::introduced of `result`: what A's nodes between one
// compared value and those before it make of B's numbers, set against B's. `a`
// and `b` are as the runs left them, integers as such.
void AddIntroduced(const CompareModelsRequest& request, const ValueSource& a,
                   const ValueSource& b, CompareResult& result);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_INTRODUCED_H_

#ifndef ONNX_EXPOSE_REWRITER_RESTORE_BODIES_H_
#define ONNX_EXPOSE_REWRITER_RESTORE_BODIES_H_

#include <onnx/onnx_pb.h>

#include "rewriter/provenance.h"

namespace onnx_expose {

// Takes away what was added to bodies, functions and the nodes around them, and
// added nodes of the main graph. Whether anything changed.
bool RestoreBodies(onnx::ModelProto& model, const Provenance& record);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_RESTORE_BODIES_H_

#ifndef ONNX_EXPOSE_TENSOR_SQUARE_SCALE_H_
#define ONNX_EXPOSE_TENSOR_SQUARE_SCALE_H_

namespace onnx_expose {

// The power of two to multiply numbers by before they are squared, so that the
// square of the one with the greatest magnitude is a normal double: 1 unless it
// is needed, and of 0 and what isn't finite.
double SquareScale(double greatest);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_SQUARE_SCALE_H_

#include "pipeline/same_bits.h"

#include <algorithm>

namespace onnx_expose {

bool SameBits(const Data& a, const Data& b) {
  return a.kind == b.kind && a.tensor.type == b.tensor.type &&
         a.tensor.shape == b.tensor.shape &&
         a.tensor.strings == b.tensor.strings &&
         std::equal(a.tensor.bytes.begin(), a.tensor.bytes.end(),
                    b.tensor.bytes.begin(), b.tensor.bytes.end()) &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(),
                    b.parts.end(), SameBits);
}

}  // namespace onnx_expose

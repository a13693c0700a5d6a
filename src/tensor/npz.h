#ifndef ONNX_EXPOSE_TENSOR_NPZ_H_
#define ONNX_EXPOSE_TENSOR_NPZ_H_

#include <string>

#include "onnx_expose/tensor.h"
#include "tensor/zip_reader.h"
#include "tensor/zip_writer.h"

namespace onnx_expose {

// Whether all tensors of the data fit into npy files.
bool FitsNpz(const Data& data);

// A tensor as the member `name`; of a sequence its parts as "0", "1", ...; of a
// map "keys" and "values"; of a sequence of maps "0.keys", "0.values", ....
void AddToNpz(const Data& data, const std::string& name, ZipWriter& zip);

// What AddToNpz wrote with an empty name. Throws FormatError.
Data SequenceFromNpz(const ZipReader& zip);
Data MapFromNpz(const ZipReader& zip);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_NPZ_H_

#ifndef ONNX_EXPOSE_TENSOR_JPEG_TABLES_H_
#define ONNX_EXPOSE_TENSOR_JPEG_TABLES_H_

#include <string_view>

namespace onnx_expose {

// Whether no Huffman table of a JPEG file has more than 256 codes. stb_image
// before 2.29 (so Debian 12 and Ubuntu 24.04) believes any number and writes
// past its tables.
bool HasSoundTables(std::string_view jpeg);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_JPEG_TABLES_H_

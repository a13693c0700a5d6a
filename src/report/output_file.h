#ifndef ONNX_EXPOSE_REPORT_OUTPUT_FILE_H_
#define ONNX_EXPOSE_REPORT_OUTPUT_FILE_H_

#include <string>
#include <string_view>

namespace onnx_expose {

// Writes a file, complete or not at all. Throws Error(kOutput): it exists and
// `force` isn't given, it can't be written.
void WriteOutputFile(const std::string& path, std::string_view text,
                     bool force);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_OUTPUT_FILE_H_

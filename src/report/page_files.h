#ifndef ONNX_EXPOSE_REPORT_PAGE_FILES_H_
#define ONNX_EXPOSE_REPORT_PAGE_FILES_H_

#include <string_view>

namespace onnx_expose {

// A file of src/report/page or of uPlot, by its name without folder; they are
// in the binary. Empty if there is none.
std::string_view PageFile(std::string_view name);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_PAGE_FILES_H_

#ifndef ONNX_EXPOSE_REPORT_OUTPUT_FILE_H_
#define ONNX_EXPOSE_REPORT_OUTPUT_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "support/temporary_file.h"

namespace onnx_expose {

// A file that is there, complete, after Finish, or not at all. Throws
// Error(kOutput): it can't be written; Finish: it exists and `force` isn't
// given.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  void Write(std::string_view text);
  void Finish(bool force);
  uint64_t size() const { return size_; }

 private:
  std::string path_;
  TemporaryFile file_;
  uint64_t size_ = 0;
};

// All of it at once.
void WriteOutputFile(const std::string& path, std::string_view text,
                     bool force);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_OUTPUT_FILE_H_

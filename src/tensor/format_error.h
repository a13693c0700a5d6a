#ifndef ONNX_EXPOSE_TENSOR_FORMAT_ERROR_H_
#define ONNX_EXPOSE_TENSOR_FORMAT_ERROR_H_

#include <stdexcept>
#include <string>
#include <utility>

#include "onnx_expose/error.h"

namespace onnx_expose {

// What is wrong with the content of a file; who knows the file's name turns it
// into an Error.
class FormatError : public std::runtime_error {
 public:
  explicit FormatError(const std::string& what, std::string hint = "")
      : std::runtime_error(what), hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

// Runs `read`; what is wrong becomes Error(kInput) about `path`, with `prefix`
// before it ("member 'x': ").
template <typename Read>
auto InFile(const std::string& path, const std::string& prefix,
            const Read& read) {
  try {
    return read();
  } catch (const FormatError& error) {
    throw Error(ExitCode::kInput, path,
                {prefix + error.what(), "", error.hint()});
  }
}

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_FORMAT_ERROR_H_

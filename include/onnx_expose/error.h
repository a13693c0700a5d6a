#ifndef ONNX_EXPOSE_ERROR_H_
#define ONNX_EXPOSE_ERROR_H_

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace onnx_expose {

// What the process returns; the meaning of each number is a contract.
enum class ExitCode : int {
  kDone = 0,
  kDifferent = 1,     // compare found differences
  kUsage = 2,         // the command line can't be understood
  kInput = 3,         // the model can't be read or is invalid
  kRefused = 4,       // the selection or the rewrite is refused
  kOutput = 5,        // the result is refused or can't be written
  kRuntime = 6,       // ONNX Runtime is missing or a run failed
  kBug = 70,          // an error in this program
  kInterrupted = 130  // the user stopped it
};

// Something worth saying to a person, in the shape every message has:
//   onnx-expose: warning: FILE: what
//   note: more about it
//   hint: what to do next
// `what` is lower case, without a final period, names in single quotes.
// `note` and `hint` may be empty.
struct Message {
  std::string what;
  std::string note;
  std::string hint;
};

using Warnings = std::vector<Message>;

// The one exception type of this library. Exceptions of upstream libraries
// are caught and wrapped where the upstream is called.
//
//   throw Error(ExitCode::kInput, path, {"the file is empty", "", ""});
class Error : public std::exception {
 public:
  // `file` names what the message is about; empty: nothing in particular.
  Error(ExitCode code, std::string file, Message message)
      : code_(code), file_(std::move(file)), message_(std::move(message)) {}

  ExitCode code() const { return code_; }
  const std::string& file() const { return file_; }
  const Message& message() const { return message_; }
  const char* what() const noexcept override { return message_.what.c_str(); }

 private:
  ExitCode code_;
  std::string file_;
  Message message_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_ERROR_H_

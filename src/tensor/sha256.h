#ifndef ONNX_EXPOSE_TENSOR_SHA256_H_
#define ONNX_EXPOSE_TENSOR_SHA256_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace onnx_expose {

// SHA-256 of bytes that come piece by piece, as 64 lower-case hex digits.
class Sha256Sum {
 public:
  Sha256Sum();
  ~Sha256Sum();
  void Add(std::span<const std::byte> bytes);
  std::string Hex();  // once, last of all

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string Sha256(std::span<const std::byte> bytes);

// Of a file's content. Throws Error(kInput).
std::string Sha256OfFile(const std::string& path);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_SHA256_H_

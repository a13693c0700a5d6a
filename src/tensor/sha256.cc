#include "tensor/sha256.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <vector>

// OpenSSL's EVP functions would bring all of its algorithms into the binary;
// these, which it calls deprecated, are the same code without them.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "onnx_expose/error.h"
#include "support/file.h"

namespace onnx_expose {

struct Sha256Sum::State {
  SHA256_CTX context;
};

Sha256Sum::Sha256Sum() : state_(std::make_unique<State>()) {
  SHA256_Init(&state_->context);
}

Sha256Sum::~Sha256Sum() = default;

void Sha256Sum::Add(std::span<const std::byte> bytes) {
  SHA256_Update(&state_->context, bytes.data(), bytes.size());
}

std::string Sha256Sum::Hex() {
  std::array<uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256_Final(digest.data(), &state_->context);
  std::string hex;
  for (const uint8_t byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string Sha256(std::span<const std::byte> bytes) {
  Sha256Sum sum;
  sum.Add(bytes);
  return sum.Hex();
}

std::string Sha256OfFile(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  Sha256Sum sum;
  ssize_t got = fd < 0 ? -1 : 1;
  std::vector<std::byte> buffer(size_t{1} << 20);
  while (got > 0) {
    got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR)
      got = 1;
    else if (got > 0)
      sum.Add({buffer.data(), static_cast<size_t>(got)});
  }
  const std::string why = got < 0 ? ErrnoText() : "";
  if (fd >= 0) ::close(fd);
  if (got < 0) {
    throw Error(ExitCode::kInput, path,
                {fmt::format("can't be read: {}", why), "", ""});
  }
  return sum.Hex();
}

}  // namespace onnx_expose

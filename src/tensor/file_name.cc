#include "tensor/file_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "support/text.h"
#include "tensor/sha256.h"

namespace onnx_expose {
namespace {

constexpr std::string_view kInput = "input_";
constexpr size_t kReadable = 60;
constexpr size_t kHexDigits = 8;
// zip has 16 bits for it; this leaves room for ".npy" and is no name anyway.
constexpr size_t kLongestMember = 4096;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); }

bool IsSafe(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c == '.' || c == '-' || c == '_';
}

// The end of a name tells more than its beginning.
std::string Readable(std::string_view name) {
  std::string readable;
  for (const char c : name) {
    if (IsSafe(c)) {
      readable.push_back(c);
    } else if (!readable.empty() && readable.back() != '_') {
      readable.push_back('_');
    }
  }
  if (readable.size() > kReadable) {
    readable.erase(0, readable.size() - kReadable);
  }
  return readable.empty() ? "_" : readable;
}

}  // namespace

std::string FileStem(int index, std::string_view name, std::string_view scope) {
  std::string identity(scope);
  identity.push_back('\0');
  identity += name;
  const std::string hash = Sha256(std::as_bytes(std::span(identity)));
  return fmt::format("{:04}_{}_{}", index, Readable(name),
                     hash.substr(0, kHexDigits));
}

std::string InputStem(size_t index, std::string_view name) {
  return fmt::format("{}{}", kInput,
                     FileStem(static_cast<int>(index), name, ""));
}

bool IsTensorFileName(std::string_view name) {
  if (name.starts_with(kInput)) name.remove_prefix(kInput.size());
  for (const std::string_view ending : {".npy", ".npz", ".pb"}) {
    if (!name.ends_with(ending)) continue;
    name.remove_suffix(ending.size());
    const size_t digits = std::min(name.find('_'), name.size());
    if (digits < 4 || name.size() < digits + 2 + kHexDigits ||
        !std::all_of(name.begin(), name.end(), IsSafe)) {
      return false;
    }
    const std::string_view hex = name.substr(name.size() - kHexDigits);
    return std::all_of(name.begin(), name.begin() + digits, IsDigit) &&
           std::all_of(hex.begin(), hex.end(), IsHex) &&
           name[name.size() - kHexDigits - 1] == '_';
  }
  return false;
}

std::string MemberName(std::string_view name, const std::string& stem) {
  // numpy takes "a.npy" for the file of 'a', zip programs "../a" for a path.
  const bool plain = !name.empty() && name.size() <= kLongestMember &&
                     IsUtf8(name) && !name.ends_with(".npy") &&
                     name.find('\0') == std::string_view::npos &&
                     name.find('\\') == std::string_view::npos &&
                     name.find("..") == std::string_view::npos;
  return plain ? std::string(name) : stem;
}

}  // namespace onnx_expose

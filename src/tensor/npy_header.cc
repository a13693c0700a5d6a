#include "tensor/npy_header.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "support/text.h"
#include "tensor/format_error.h"

namespace onnx_expose {
namespace {

// The literal of a Python dict, as far as numpy writes it.
class DictParser {
 public:
  explicit DictParser(std::string_view text) : text_(text) {}

  NpyHeader Parse() {
    Expect('{');
    while (!Take('}')) {
      const std::string key = Text();
      Expect(':');
      if (key == "descr") {
        descr_ = Descr();
      } else if (key == "fortran_order") {
        fortran_order_ = Bool();
      } else if (key == "shape") {
        shape_ = Shape();
      } else {
        Fail(fmt::format("the key {}", Quoted(key)));
      }
      if (!Take(',')) {
        Expect('}');
        break;
      }
    }
    if (!Rest().empty()) Fail("text after its end");
    if (!descr_ || !fortran_order_ || !shape_) {
      throw FormatError(
          "the npy header lacks 'descr', 'fortran_order' or 'shape'");
    }
    return {*descr_, *fortran_order_, *shape_, 0};
  }

 private:
  [[noreturn]] static void Fail(const std::string& what) {
    throw FormatError(fmt::format("the npy header has {}", what));
  }

  std::string_view Rest() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
      ++at_;
    }
    return text_.substr(at_);
  }

  bool Take(std::string_view token) {
    if (!Rest().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  bool Take(char c) { return Take(std::string_view(&c, 1)); }

  void Expect(char c) {
    if (!Take(c)) {
      Fail(fmt::format("no '{}' at character {}", c, at_ + 1));
    }
  }

  std::string Text() {
    const char quote = Take('\'') ? '\'' : '"';
    if (quote == '"') Expect('"');
    const size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) Fail("a text without an end");
    const std::string_view text = text_.substr(at_, end - at_);
    if (text.find('\\') != std::string_view::npos) Fail("an escaped text");
    at_ = end + 1;
    return std::string(text);
  }

  std::string Descr() {
    if (Rest().starts_with("[") || Rest().starts_with("(")) {
      throw FormatError("holds records (a structured dtype), not numbers",
                        "save each field by itself");
    }
    return Text();
  }

  bool Bool() {
    if (Take("True")) return true;
    if (!Take("False")) Fail("neither True nor False as 'fortran_order'");
    return false;
  }

  std::vector<int64_t> Shape() {
    std::vector<int64_t> shape;
    Expect('(');
    while (!Take(')')) {
      const std::string_view rest = Rest();
      int64_t dim = 0;
      const auto [end, error] =
          std::from_chars(rest.data(), rest.data() + rest.size(), dim);
      if (error != std::errc() || dim < 0) Fail("a dim that is no size");
      at_ += static_cast<size_t>(end - rest.data());
      Take('L');  // as Python 2 wrote it
      shape.push_back(dim);
      if (shape.size() > kMostNpyDims) Fail("more than 64 dims");
      if (!Take(',')) {
        Expect(')');
        break;
      }
    }
    return shape;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<int64_t>> shape_;
};

}  // namespace

NpyHeader ParseNpyHeader(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()),
                              file.size());
  if (!text.starts_with("\x93NUMPY")) throw FormatError("is no npy file");
  if (text.size() < 12) throw FormatError("the npy header is cut off");
  const int version = std::to_integer<int>(file[6]);
  if (version < 1 || version > 3) {
    throw FormatError(fmt::format("npy version {} is not known", version));
  }
  const size_t prefix = version == 1 ? 10 : 12;
  uint64_t size = 0;
  for (size_t i = prefix; i-- > 8;) {
    size = size << 8 | std::to_integer<uint64_t>(file[i]);
  }
  if (size > text.size() - prefix) {
    throw FormatError("the npy header is cut off");
  }
  NpyHeader header = DictParser(text.substr(prefix, size)).Parse();
  header.size = prefix + size;
  return header;
}

}  // namespace onnx_expose

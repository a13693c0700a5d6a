#include "loader/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "support/text.h"

namespace onnx_expose {
namespace {

struct Magic {
  size_t offset;
  std::string_view bytes;
  std::string_view name;
  std::string_view hint;
};

// In the order of looking; no ONNX model starts like one of these: field 1 is
// a varint (08), field 7 a message (3A) and so on.
constexpr std::array kMagics = {
    Magic{0, "version https://git-lfs", "a Git LFS pointer",
          "fetch the model itself with 'git lfs pull'"},
    Magic{0, "\x1f\x8b", "gzip data", "unpack it with 'gzip -d' first"},
    Magic{0, "PK\x03\x04", "a zip archive (PyTorch and Keras save those)",
          "unpack it or export the model to ONNX first"},
    Magic{0, "BZh", "bzip2 data", "unpack it with 'bzip2 -d' first"},
    Magic{0,
          "\xfd"
          "7zXZ",
          "xz data", "unpack it with 'xz -d' first"},
    Magic{0, "\x28\xb5\x2f\xfd", "zstd data", "unpack it with 'zstd -d' first"},
    Magic{257, "ustar", "a tar archive", "unpack it with 'tar -x' first"},
    Magic{4, "ORTM", "an ORT format model (flatbuffer)",
          "use the .onnx file it was made from"},
    Magic{4, "TFL3", "a TensorFlow Lite model (flatbuffer)",
          "convert it to ONNX first"},
    Magic{0, "\x89HDF\r\n", "an HDF5 file (Keras saves those)",
          "convert it to ONNX first"},
    Magic{0, "GGUF", "a GGUF model", ""},
    Magic{0, "\x93NUMPY", "a numpy array", ""},
    Magic{0, "\x80\x02", "a Python pickle (PyTorch saves those)",
          "export the model to ONNX first"},
    Magic{0, "\x80\x03", "a Python pickle", "export the model to ONNX first"},
    Magic{0, "\x80\x04", "a Python pickle", "export the model to ONNX first"},
    Magic{0, "\x80\x05", "a Python pickle", "export the model to ONNX first"},
    Magic{0,
          "\x7f"
          "ELF",
          "a program (ELF)", ""},
    Magic{0, "\x89PNG", "a PNG picture", ""},
    Magic{0, "%PDF", "a PDF document", ""},
    Magic{8, "{\"", "a safetensors file", "export the model to ONNX first"},
};

bool StartsWithWord(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  return std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
    return a == std::tolower(static_cast<unsigned char>(b));
  });
}

// UTF-8 without control characters but white space. A letter may be cut in two
// at the end.
bool IsText(std::string_view head) {
  std::string_view whole = head;
  while (!whole.empty() && (whole.back() & 0xC0) == 0x80 &&
         head.size() - whole.size() < 3) {
    whole.remove_suffix(1);
  }
  if (!whole.empty() && (whole.back() & 0x80) != 0) whole.remove_suffix(1);
  return IsUtf8(whole) && std::none_of(head.begin(), head.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte == 0x7F ||
                  (byte < 0x20 && c != '\n' && c != '\r' && c != '\t');
         });
}

// White space and comment lines of both text forms (# and //).
std::string_view SkipBlank(std::string_view text) {
  while (!text.empty()) {
    if (std::isspace(static_cast<unsigned char>(text[0])) != 0) {
      text.remove_prefix(1);
    } else if (text[0] == '#' || text.substr(0, 2) == "//") {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else {
      break;
    }
  }
  return text;
}

FileKind LookAtText(std::string_view head) {
  if (head.substr(0, 3) == "\xEF\xBB\xBF") head.remove_prefix(3);
  const std::string_view text = SkipBlank(head);
  if (StartsWithWord(text, "<!doctype") || StartsWithWord(text, "<html")) {
    return {"an HTML page",
            "the download probably failed; fetch the file itself",
            {}};
  }
  if (StartsWithWord(text, "<?xml")) {
    return {"an XML file (OpenVINO saves those)", "", {}};
  }
  if (text.substr(0, 1) == "{" || text.substr(0, 1) == "[") {
    return {"a JSON file", "", {}};
  }
  if (text.substr(0, 1) == "<") return {"", "", TextKind::kOnnxText};
  const auto behind = std::find_if(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_';
  });
  const auto word = static_cast<size_t>(behind - text.begin());
  const std::string_view name = text.substr(0, word);
  const std::string_view rest = SkipBlank(text.substr(word));
  if (!name.empty() && (rest.substr(0, 1) == ":" || rest.substr(0, 1) == "{")) {
    return {"", "", TextKind::kProtobufText};
  }
  // A model's text form may leave the header out: "agraph (float[N] x) => ...".
  if (!name.empty() && rest.substr(0, 1) == "(") {
    return {"", "", TextKind::kOnnxText};
  }
  return {"a text file", "", {}};
}

}  // namespace

FileKind LookAt(std::string_view head) {
  for (const Magic& magic : kMagics) {
    if (head.size() >= magic.offset + magic.bytes.size() &&
        head.substr(magic.offset, magic.bytes.size()) == magic.bytes) {
      return {magic.name, magic.hint, {}};
    }
  }
  if (std::all_of(head.begin(), head.end(), [](char c) { return c == 0; })) {
    return {"filled with zero bytes",
            "the download or copy probably failed; fetch the file again",
            {}};
  }
  return IsText(head) ? LookAtText(head) : FileKind();
}

}  // namespace onnx_expose

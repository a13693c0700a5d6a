#include <string>

#include "model/tensors.h"
#include "onnx_expose/writer.h"
#include "support/file.h"
#include "writer/target.h"

namespace onnx_expose {
namespace {

// What make and ninja both understand: backslash before space, # and
// backslashes in front of them, $ doubled.
std::string Escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\\' || c == ':') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

}  // namespace

void WriteDepfile(const Skeleton& model, const std::string& target,
                  const std::string& path) {
  std::string rule = Escaped(target) + ":";
  std::string rest;
  const auto need = [&](const std::string& file) {
    rule += " \\\n  " + Escaped(file);
    // Without a rule of its own a file that goes away would stop make.
    rest += "\n" + Escaped(file) + ":\n";
  };
  if (!model.source->is_stdin()) need(model.source->path());
  const std::string folder = DataFolder(model);
  for (const std::string& location : ExternalLocations(model)) {
    need(location[0] == '/' || folder == "." ? location
                                             : folder + "/" + location);
  }
  const std::string text = rule + "\n" + rest;
  WriteTarget(path, /*force=*/true, text.size(),
              [&](int fd) { return WriteAll(fd, text); });
}

}  // namespace onnx_expose

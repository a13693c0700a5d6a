#include "check/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "support/text.h"

namespace onnx_expose {
namespace {

// What the library puts into messages that need none of it.
constexpr std::string_view kNoise[] = {
    "[TypeInferenceError] ", "[ShapeInferenceError] ", "Inference error(s): "};

}  // namespace

std::string Places::Node(int node) const {
  return In(index_.nodes()[static_cast<size_t>(node)].scope, LocalNode(node));
}

std::string Places::LocalNode(int node) const {
  const NodeRef& ref = index_.nodes()[static_cast<size_t>(node)];
  const std::string op = Printable(ref.node->op_type());
  return ref.node->name().empty()
             ? fmt::format("unnamed node {} ({})", ref.index, op)
             : fmt::format("node {} ({})", Quoted(ref.node->name()), op);
}

std::string Places::Scope(int scope) const {
  const onnx_expose::Scope& here = index_.scopes()[static_cast<size_t>(scope)];
  switch (here.kind) {
    case onnx_expose::Scope::Kind::kMain:
      return "graph";
    case onnx_expose::Scope::Kind::kBody:
      return "body " + Quoted(here.path);
    case onnx_expose::Scope::Kind::kFunction:
      return "function " + Quoted(here.path);
  }
  return "";
}

std::string Places::In(int scope, std::string_view text) const {
  const std::string& path = index_.scopes()[static_cast<size_t>(scope)].path;
  if (path.empty()) return std::string(text);
  return fmt::format("{}: {}", Printable(path), text);
}

void Findings::Error(std::string place, std::string what, std::string note) {
  Add({Finding::Level::kError, std::move(place), std::move(what),
       std::move(note), false});
}

void Findings::Warning(std::string place, std::string what, std::string note) {
  Add({Finding::Level::kWarning, std::move(place), std::move(what),
       std::move(note), false});
}

void Findings::CheckerWarning(std::string place, std::string what,
                              std::string note) {
  Add({Finding::Level::kWarning, std::move(place), std::move(what),
       std::move(note), true});
}

void Findings::Add(Finding finding) {
  // A function that is called twice is looked at twice.
  if (!seen_.insert(finding.place + '\n' + finding.what).second) return;
  list_.push_back(std::move(finding));
}

std::string CleanMessage(std::string_view text) {
  std::string clean(text.substr(0, text.find("\n\n==> Context")));
  for (const std::string_view noise : kNoise) {
    for (size_t at = clean.find(noise); at != std::string::npos;
         at = clean.find(noise, at)) {
      clean.erase(at, noise.size());
    }
  }
  clean.erase(clean.find_last_not_of(". \n") + 1);
  std::replace(clean.begin(), clean.end(), '\n', ' ');
  clean = Printable(clean);
  // Not an abbreviation or the name of a type, which stays as it is.
  const auto at = [&](size_t i) {
    return static_cast<unsigned char>(clean[i]);
  };
  if (clean.size() > 1 && std::isupper(at(0)) &&
      (std::islower(at(1)) || at(1) == ' ')) {
    clean[0] = static_cast<char>(std::tolower(at(0)));
  }
  return clean;
}

}  // namespace onnx_expose

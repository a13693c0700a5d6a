#include "report/html_page.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "report/page_files.h"
#include "support/base64.h"
#include "tensor/sha256.h"

namespace onnx_expose {
namespace {

constexpr std::string_view kScripts[] = {
    "uPlot.iife.min.js", "elements.js", "pictures.js", "charts.js",
    "columns.js",        "rows.js",     "table.js",    "strip.js",
    "detail.js",         "page.js"};
constexpr std::string_view kStyles[] = {"uPlot.min.css", "style.css"};

// "'sha256-...'" of an inline script or style: nothing else will run.
std::string SourceHash(std::string_view text) {
  const std::string hex = Sha256(std::as_bytes(std::span(text)));
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return "'sha256-" + Base64(bytes) + "'";
}

struct Inline {
  std::string elements;
  std::string hashes;
};

template <size_t kCount>
Inline InlineFiles(const std::string_view (&names)[kCount],
                   const std::string& tag) {
  Inline result;
  for (const std::string_view name : names) {
    const std::string text = "\n" + std::string(PageFile(name)) + "\n";
    result.elements += "<" + tag + ">" + text + "</" + tag + ">\n";
    result.hashes += " " + SourceHash(text);
  }
  return result;
}

void Replace(std::string& text, std::string_view mark, std::string_view by) {
  const size_t at = text.find(mark);
  if (at != std::string::npos) text.replace(at, mark.size(), by);
}

}  // namespace

std::string ForScriptElement(const std::string& json) {
  static constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
      {"<", "\\u003c"},
      {">", "\\u003e"},
      {"&", "\\u0026"},
      {"\xE2\x80\xA8", "\\u2028"},
      {"\xE2\x80\xA9", "\\u2029"}};
  std::string text;
  text.reserve(json.size() + json.size() / 64);
  for (size_t i = 0; i < json.size();) {
    bool escaped = false;
    for (const auto& [from, to] : kEscapes) {
      if (json.compare(i, from.size(), from) != 0) continue;
      text += to;
      i += from.size();
      escaped = true;
      break;
    }
    if (!escaped) text += json[i++];
  }
  return text;
}

std::string HtmlPage(const std::string& data, bool live) {
  const Inline scripts = InlineFiles(kScripts, "script");
  const Inline styles = InlineFiles(kStyles, "style");
  std::string policy = "default-src 'none'; script-src" + scripts.hashes +
                       "; style-src" + styles.hashes +
                       "; base-uri 'none'; form-action 'none'";
  if (live) policy += "; connect-src 'self'";
  std::string page(PageFile("index.html"));
  Replace(page, "{{policy}}", policy);
  Replace(page, "{{styles}}", styles.elements);
  Replace(page, "{{mode}}", live ? "live" : "file");
  Replace(page, "{{scripts}}", scripts.elements);
  // Last: nothing in it is replaced any more.
  Replace(page, "{{data}}", ForScriptElement(data));
  return page;
}

}  // namespace onnx_expose

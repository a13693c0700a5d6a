#include "loader/text_model.h"

#include <fmt/format.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>
#include <onnx/defs/parser.h>

#include <exception>
#include <string>

#include "onnx_expose/error.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

constexpr int kDeepestText = 100;

// Keeps the first complaint; protobuf would print them all.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!text.empty()) return;
    text = fmt::format("line {}, column {}: {}", line + 1, column + 1,
                       Printable(message));
  }
  void AddWarning(int, google::protobuf::io::ColumnNumber,
                  const std::string&) override {}

  std::string text;
};

[[noreturn]] void RefuseText(const std::string& path, const std::string& what,
                             std::string why) {
  while (!why.empty() && (why.back() == '.' || why.back() == '\n')) {
    why.pop_back();
  }
  throw Error(ExitCode::kInput, path, {what, Printable(why), ""});
}

}  // namespace

onnx::ModelProto ParseText(const std::string& text, TextKind kind,
                           const std::string& path) {
  onnx::ModelProto model;
  if (kind == TextKind::kProtobufText) {
    FirstError error;
    google::protobuf::TextFormat::Parser parser;
    parser.RecordErrorsTo(&error);
    parser.SetRecursionLimit(kDeepestText);
    if (!parser.ParseFromString(text, &model)) {
      RefuseText(path, "is not a model in protobuf text format", error.text);
    }
    return model;
  }
  try {
    onnx::OnnxParser parser(text.c_str());
    const auto status = parser.Parse(model);
    if (!status.IsOK()) {
      RefuseText(path, "is not a model in ONNX text syntax",
                 status.ErrorMessage());
    }
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // numbers out of range
    RefuseText(path, "is not a model in ONNX text syntax", error.what());
  }
  return model;
}

}  // namespace onnx_expose

#include "runtime/feed_names.h"

#include <fmt/format.h>

#include "support/text.h"

namespace onnx_expose {

const InputInfo* InputNamed(const std::vector<InputInfo>& inputs,
                            std::string_view name) {
  for (const InputInfo& input : inputs) {
    if (input.name == name) return &input;
  }
  return nullptr;
}

std::string InputHint(const std::vector<InputInfo>& inputs,
                      std::string_view name) {
  if (inputs.empty()) return "the model has no inputs";
  std::vector<std::string> names;
  for (const InputInfo& input : inputs) names.push_back(input.name);
  const std::string near = Nearest(name, names);
  return near.empty() ? "there is " + NameList(names)
                      : fmt::format("did you mean {}?", Quoted(near));
}

const InputInfo& FindInput(const std::vector<InputInfo>& inputs,
                           std::string_view flag, const std::string& name) {
  if (const InputInfo* input = InputNamed(inputs, name)) return *input;
  throw Error(
      ExitCode::kUsage, "",
      {fmt::format("{}: there is no graph input {}", flag, Quoted(name)), "",
       InputHint(inputs, name)});
}

}  // namespace onnx_expose

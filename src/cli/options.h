#ifndef ONNX_EXPOSE_CLI_OPTIONS_H_
#define ONNX_EXPOSE_CLI_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace onnx_expose::cli {

// Declares options of one group of the help, all in the same manner. `names`
// is "-o,--output"; `value` is what the help calls the option's value. The
// variables must live until the command line is parsed.
//
//   Options selection(app, "Selection");
//   selection.List("--ops", flags.ops, "OP[,OP]", "values of this op type");
class Options {
 public:
  // An empty title hides the group from the help.
  Options(CLI::App& app, std::string title)
      : app_(app), title_(std::move(title)) {}

  void Positional(const std::string& name, std::string& into,
                  const std::string& help);
  void Flag(const std::string& names, bool& into, const std::string& help);
  // At most once; alone it reads "true", with a value that value.
  void FlagOrText(const std::string& names, std::string& into,
                  const std::string& value, const std::string& help);
  // At most once.
  void Text(const std::string& names, std::optional<std::string>& into,
            const std::string& value, const std::string& help);
  void Text(const std::string& names, std::string& into,
            const std::string& value, const std::string& help);
  // Any number of times, one value each.
  void Texts(const std::string& names, std::vector<std::string>& into,
             const std::string& value, const std::string& help);
  // Any number of times, values separated by commas.
  void List(const std::string& names, std::vector<std::string>& into,
            const std::string& value, const std::string& help);
  // At most once, followed by two values.
  void Pair(const std::string& names,
            std::optional<std::pair<std::string, std::string>>& into,
            const std::string& value, const std::string& help);

 private:
  CLI::App& app_;
  std::string title_;
};

// Parses the arguments that follow the program's and the command's name.
// Throws Error(kUsage).
void Parse(CLI::App& app, const std::vector<std::string>& arguments);

// The options of `app` as indented lines below their groups' titles.
std::string OptionsText(const CLI::App& app);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_OPTIONS_H_

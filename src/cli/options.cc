#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/usage.h"
#include "onnx_expose/error.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

using Pair = std::pair<std::string, std::string>;

std::string HelpHint(const CLI::App& app) {
  return fmt::format("see 'onnx-expose {} --help'", app.get_name());
}

// The option that is spelled exactly so; null if there is none.
const CLI::Option* Find(const CLI::App& app, const std::string& argument) {
  if (argument.size() < 2 || argument[0] != '-') return nullptr;
  for (const CLI::Option* option : app.get_options()) {
    const bool found =
        argument[1] == '-'
            ? option->check_lname(argument.substr(2))
            : argument.size() == 2 && option->check_sname(argument.substr(1));
    if (found) return option;
  }
  return nullptr;
}

// CLI11 takes whatever follows as an option's value, the next option too.
void CheckValuesPresent(const CLI::App& app,
                        const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    std::string name = arguments[i];
    const bool empty = name.size() > 2 && name.back() == '=';
    if (empty) name.pop_back();
    const CLI::Option* option = Find(app, name);
    if (option == nullptr) continue;
    const auto count = static_cast<size_t>(option->get_items_expected_min());
    for (size_t k = 1; k <= count; ++k) {
      const bool there = i + k < arguments.size() && !empty;
      if (there && Find(app, arguments[i + k]) == nullptr) continue;
      throw Usage(fmt::format("'{}' needs {} ({})", name,
                              count == 1 ? "a value" : "two values",
                              option->get_type_name()),
                  there && count == 1
                      ? fmt::format("if '{0}' is the value, write '{1}={0}'",
                                    arguments[i + k], name)
                      : "");
    }
    i += count;
  }
}

Error UnknownOption(const CLI::App& app, const std::string& argument) {
  const std::string word = argument.substr(0, argument.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  const std::string nearest =
      word.starts_with("--") ? Nearest(word, names) : "";
  return Usage("unknown option " + Quoted(word),
               nearest.empty() ? HelpHint(app)
                               : fmt::format("did you mean '{}'?", nearest));
}

void CheckNothingLeft(const CLI::App& app) {
  std::vector<std::string> left = app.remaining();
  // CLI11 counts the mark that ends the options.
  std::erase(left, "--");
  for (const std::string& argument : left) {
    if (argument.size() > 1 && argument[0] == '-') {
      throw UnknownOption(app, argument);
    }
  }
  if (left.empty()) return;
  throw Usage("unexpected argument " + Quoted(left.front()),
              "one model at a time; the items of a list are separated by "
              "commas: --ops Conv,Gemm");
}

// CLI11's own sentences name things that the user never typed.
Error Translate(const CLI::App& app, const CLI::ParseError& error) {
  for (const CLI::Option* option : app.get_options()) {
    const int most = option->get_items_expected_max();
    if (most > 0 && option->count() > static_cast<size_t>(most)) {
      return Usage(fmt::format("'{}' is given twice", option->get_name()));
    }
  }
  const std::string text = error.what();
  if (text.find("flag override") != std::string::npos) {
    const std::string name = text.substr(0, text.find(' '));
    return Usage(fmt::format("'--{}' takes no value", name));
  }
  return Usage(text, HelpHint(app));
}

std::string NamesText(const CLI::Option& option) {
  std::string text = "    ";
  if (!option.get_snames().empty()) {
    text = fmt::format("-{}, ", option.get_snames().front());
  }
  text += "--" + option.get_lnames().front();
  const std::string value = option.get_type_name();
  if (value.empty()) return text;
  return value[0] == '[' ? text + value : text + " " + value;
}

// Lines of at most 79 letters; those after the first are indented.
std::string Wrapped(std::string_view text, size_t indent) {
  std::string result;
  size_t column = indent;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > 79) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace

void Options::Positional(const std::string& name, std::string& into,
                         const std::string& help) {
  app_.add_option(name, into, help)->group("");
}

void Options::Flag(const std::string& names, bool& into,
                   const std::string& help) {
  app_.add_flag(names, into, help)->disable_flag_override()->group(title_);
}

void Options::FlagOrText(const std::string& names, std::string& into,
                         const std::string& value, const std::string& help) {
  app_.add_flag(names, into, help)->type_name(value)->group(title_);
}

void Options::Text(const std::string& names, std::string& into,
                   const std::string& value, const std::string& help) {
  app_.add_option(names, into, help)->type_name(value)->group(title_);
}

void Options::Text(const std::string& names, std::optional<std::string>& into,
                   const std::string& value, const std::string& help) {
  const auto keep = [&into](const std::string& text) { into = text; };
  app_.add_option_function<std::string>(names, keep, help)
      ->type_name(value)
      ->group(title_);
}

void Options::Texts(const std::string& names, std::vector<std::string>& into,
                    const std::string& value, const std::string& help) {
  // Otherwise the option takes the model that follows it as well.
  app_.add_option(names, into, help)
      ->allow_extra_args(false)
      ->type_name(value)
      ->group(title_);
}

void Options::List(const std::string& names, std::vector<std::string>& into,
                   const std::string& value, const std::string& help) {
  const auto split = [&into, names](const std::vector<std::string>& given) {
    for (std::string_view list : given) {
      while (true) {
        const std::string_view item = list.substr(0, list.find(','));
        if (item.empty()) {
          throw Usage(fmt::format("'{}': empty item in a list", names));
        }
        into.emplace_back(item);
        if (item.size() == list.size()) break;
        list.remove_prefix(item.size() + 1);
      }
    }
  };
  app_.add_option_function<std::vector<std::string>>(names, split, help)
      ->allow_extra_args(false)
      ->type_name(value)
      ->group(title_);
}

void Options::Pair(const std::string& names, std::optional<cli::Pair>& into,
                   const std::string& value, const std::string& help) {
  const auto keep = [&into](const cli::Pair& pair) { into = pair; };
  app_.add_option_function<cli::Pair>(names, keep, help)
      ->type_name(value)
      ->group(title_);
}

void Parse(CLI::App& app, const std::vector<std::string>& arguments) {
  CheckValuesPresent(app, arguments);
  app.allow_extras();
  try {
    // CLI11 takes them from the back.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    throw Translate(app, error);
  }
  CheckNothingLeft(app);
}

std::string OptionsText(const CLI::App& app) {
  constexpr size_t kIndent = 32;
  std::string text;
  std::string group;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    if (option->get_group() != group) {
      group = option->get_group();
      text += fmt::format("\n{}:\n", group);
    }
    std::string line = "  " + NamesText(*option);
    line += line.size() + 2 > kIndent ? "\n" + std::string(kIndent, ' ')
                                      : std::string(kIndent - line.size(), ' ');
    text += line + Wrapped(option->get_description(), kIndent) + "\n";
  }
  return text;
}

}  // namespace onnx_expose::cli

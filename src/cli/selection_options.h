#ifndef ONNX_EXPOSE_CLI_SELECTION_OPTIONS_H_
#define ONNX_EXPOSE_CLI_SELECTION_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "onnx_expose/selector.h"

namespace onnx_expose::cli {

// SELECTION on the command line.
struct SelectionFlags {
  SelectorOptions options;
  std::vector<std::string> values_from;
  std::string deep;  // "": no; "true": as a whole; "last": last iteration

  // Whether any of the flags that say what to take or leave out is there.
  bool given() const;
  // Whether one of them says what to take.
  bool includes_something() const {
    return options.includes_something() || !values_from.empty();
  }
  // The options with the names of --values-from read in.
  SelectorOptions Read() const;
  bool last_iteration() const { return deep == "last"; }
};

// The flags that every command with a SELECTION has.
void AddSelectionOptions(CLI::App& app, SelectionFlags& flags);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_SELECTION_OPTIONS_H_

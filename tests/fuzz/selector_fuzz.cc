// Any options on a small model: SelectValues selects or throws an Error, and
// what it selects keeps the promises of its header.
//
// The input is a list of lines. The first letter says which option, the rest
// is its argument: o, n, v, l, t are --ops, --nodes, --values, --values-from
// and --types, b is --between with a tab between the ends; O, N, V exclude;
// a, i, d, c, e are the flags without argument.

#include <onnx/defs/parser.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_expose/selector.h"

namespace {

using onnx_expose::GraphIndex;
using onnx_expose::SelectorOptions;
using onnx_expose::Value;
using onnx_expose::ValueTypes;

constexpr char kModel[] = R"(
  <ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1, "my.fn" : 1]>
  g (float[1,4] x, bool c) => (float[1,4] y)
  <float[4] w = {1, 2, 3, 4}> {
    k = Constant <value = float[4] {1, 1, 1, 1}> ()
    [fold] kw = Mul (k, w)
    [first] a = Add (x, kw)
    [choose] i = If (c) <
      then_branch = yes () => (float[1,4] ti) {
        [neg] t = Neg (a)
        u = Constant <value = float {2}> ()
        ti = Mul (t, u)
      },
      else_branch = no () => (float[1,4] ei) {
        [abs] t = Abs (x)
        ei = Identity (t)
      }>
    ["/enc/call"] "/enc/out" = my.fn.F (i)
    "new
line" = com.microsoft.Gelu ("/enc/out")
    [top] best, where = TopK ("/enc/out", k)
    [last] y = Relu (best)
  }
  <opset_import: ["" : 17, "my.fn" : 1], domain: "my.fn">
  F (p) => (r) {
    inner = Exp (p)
    again = my.fn.F (inner)
    r = Sqrt (again)
  })";

onnx::ModelProto ParseModel() {
  onnx::ModelProto model;
  if (!onnx::OnnxParser::Parse(model, kModel).IsOK()) std::abort();
  auto& nodes = *model.mutable_graph()->mutable_node();
  // What text can't say: names that aren't text, a cycle, a name used twice.
  nodes[0].set_name("\xff\xfe");
  nodes[2].add_input("/enc/out");
  nodes[6].set_name("first");
  return model;
}

ValueTypes TypesOf(const GraphIndex& index) {
  constexpr const char* kTypes[] = {"float[1,4]", "int64",
                                    "seq(map(string,float16))",
                                    "sparse(double[2])", "optional(bool[])"};
  ValueTypes types;
  for (size_t i = 0; i < index.values().size(); ++i) {
    types.types.push_back(i % 6 == 5 ? onnx::TypeProto()
                                     : onnx_expose::ParseType(kTypes[i % 6]));
    types.origins.push_back(onnx_expose::TypeOrigin::kUnknown);
  }
  return types;
}

struct ListOption {
  char letter;
  std::vector<std::string> SelectorOptions::*member;
};
constexpr ListOption kLists[] = {
    {'o', &SelectorOptions::ops},
    {'n', &SelectorOptions::nodes},
    {'v', &SelectorOptions::values},
    {'t', &SelectorOptions::types},
    {'O', &SelectorOptions::exclude_ops},
    {'N', &SelectorOptions::exclude_nodes},
    {'V', &SelectorOptions::exclude_values},
};

struct FlagOption {
  char letter;
  bool SelectorOptions::*member;
};
constexpr FlagOption kFlags[] = {
    {'a', &SelectorOptions::all},
    {'i', &SelectorOptions::node_inputs},
    {'d', &SelectorOptions::deep},
    {'c', &SelectorOptions::include_constants},
    {'e', &SelectorOptions::allow_empty},
};

void Apply(char letter, const std::string& argument, SelectorOptions& options) {
  for (const ListOption& list : kLists) {
    if (list.letter == letter) (options.*list.member).push_back(argument);
  }
  for (const FlagOption& flag : kFlags) {
    if (flag.letter == letter) options.*flag.member = true;
  }
  if (letter == 'l') {
    if (!options.exact_values) options.exact_values.emplace();
    if (!argument.empty()) options.exact_values->push_back(argument);
  }
  const size_t tab = argument.find('\t');
  if (letter == 'b' && tab != std::string::npos) {
    options.between = {argument.substr(0, tab), argument.substr(tab + 1)};
  }
}

SelectorOptions ReadOptions(std::string_view text) {
  SelectorOptions options;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1
                                                 : line.size());
    if (!line.empty()) {
      Apply(line[0], std::string(line.substr(1)), options);
    }
  }
  return options;
}

void Require(bool promise) {
  if (!promise) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const onnx::ModelProto model = ParseModel();
  static const GraphIndex index(model);
  static const ValueTypes types = TypesOf(index);
  const SelectorOptions options =
      ReadOptions({reinterpret_cast<const char*>(data), size});
  try {
    const auto selection = onnx_expose::SelectValues(index, types, options);
    Require(options.includes_something());
    Require(options.allow_empty || !selection.values.empty());
    int last = -1;
    for (const int i : selection.values) {
      Require(i > last && i < index.node_output_count());
      last = i;
      const Value& value = index.values()[static_cast<size_t>(i)];
      Require(value.scope == 0 || options.deep);
      Require(!value.constant || options.include_constants);
    }
  } catch (const onnx_expose::Error& error) {
    using onnx_expose::ExitCode;
    Require(error.code() == ExitCode::kUsage ||
            (error.code() == ExitCode::kRefused && !options.allow_empty));
    Require(!error.message().what.empty());
  }
  return 0;
}

#include "runtime/dim_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "runtime/feed_names.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

Error Usage(std::string what, std::string hint = "") {
  return Error(ExitCode::kUsage, "", {std::move(what), "", std::move(hint)});
}

std::string ShapeText(const std::vector<int64_t>& shape) {
  return "[" + Joined(shape, ",") + "]";
}

void CheckSymbol(const std::vector<InputInfo>& inputs,
                 const std::string& symbol) {
  std::vector<std::string> symbols;
  for (const InputInfo& input : inputs) {
    for (const auto& dim : input.dims.value_or(std::vector<InputInfo::Dim>())) {
      if (dim.symbol.empty() || dim.size >= 0) continue;
      if (std::find(symbols.begin(), symbols.end(), dim.symbol) ==
          symbols.end()) {
        symbols.push_back(dim.symbol);
      }
    }
  }
  if (std::find(symbols.begin(), symbols.end(), symbol) != symbols.end()) {
    return;
  }
  throw Usage(fmt::format("no graph input has a dim {}", Quoted(symbol)),
              symbols.empty() ? "no graph input has a symbolic dim"
                              : "there is " + NameList(symbols));
}

}  // namespace

DimSizes::DimSizes(const std::vector<InputInfo>& inputs,
                   const FeedOptions& options) {
  for (const auto& [symbol, size] : options.dims) {
    CheckSymbol(inputs, symbol);
    if (size < 0) {
      throw Usage(fmt::format("the size of dim {} is negative: {}",
                              Quoted(symbol), size));
    }
    Fix(symbol, size);
  }
  for (const auto& [name, shape] : options.shapes) {
    const InputInfo& input = FindInput(inputs, "--shape", name);
    CheckShape(input, shape);
    if (!shapes_.emplace(name, shape).second) {
      throw Usage(fmt::format("--shape is given twice for {}", Quoted(name)));
    }
    if (!input.dims || input.kind != InputInfo::Kind::kTensor) continue;
    for (size_t i = 0; i < shape.size(); ++i) {
      const InputInfo::Dim& dim = (*input.dims)[i];
      if (dim.size < 0 && !dim.symbol.empty()) Fix(dim.symbol, shape[i]);
    }
  }
}

void DimSizes::Fix(const std::string& symbol, int64_t size) {
  const auto [known, is_new] = sizes_.emplace(symbol, Size{size, ""});
  if (!is_new && known->second.size != size) {
    throw Usage(fmt::format("dim {} is to be {} and {}", Quoted(symbol),
                            known->second.size, size));
  }
}

void DimSizes::CheckShape(const InputInfo& input,
                          const std::vector<int64_t>& shape) const {
  for (const int64_t size : shape) {
    if (size >= 0) continue;
    throw Usage(fmt::format("--shape of {} has a negative dim: {}",
                            Quoted(input.name), ShapeText(shape)));
  }
  if (!input.dims.has_value()) return;
  if (input.dims->size() != shape.size()) {
    throw Usage(fmt::format("the graph input {} is {}, and --shape gives {}",
                            Quoted(input.name), Printable(input.type),
                            Counted(shape.size(), "dim")));
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t fixed = (*input.dims)[i].size;
    if (fixed < 0 || fixed == shape[i]) continue;
    throw Usage(fmt::format("dim {} of the graph input {} is fixed: {}, not {}",
                            i, Quoted(input.name), fixed, shape[i]));
  }
}

const std::vector<int64_t>* DimSizes::ShapeOf(const std::string& input) const {
  const auto found = shapes_.find(input);
  return found == shapes_.end() ? nullptr : &found->second;
}

std::optional<std::vector<int64_t>> DimSizes::Known(
    const InputInfo& input) const {
  if (const auto* given = ShapeOf(input.name)) return *given;
  if (!input.dims.has_value()) return std::nullopt;
  std::vector<int64_t> shape;
  for (const InputInfo::Dim& dim : *input.dims) {
    const auto size = sizes_.find(dim.symbol);
    const bool is_known = !dim.symbol.empty() && size != sizes_.end();
    shape.push_back(dim.size >= 0 ? dim.size
                                  : (is_known ? size->second.size : -1));
  }
  return shape;
}

void DimSizes::Learn(const InputInfo& input, const std::string& source,
                     const std::vector<int64_t>& shape, Warnings& warnings) {
  const auto* given = ShapeOf(input.name);
  if (given != nullptr && *given != shape) {
    throw Error(
        ExitCode::kInput, source,
        {fmt::format("--shape says {} for input {}, this is {}",
                     ShapeText(*given), Quoted(input.name), ShapeText(shape)),
         "", ""});
  }
  if (!input.dims.has_value()) return;
  for (size_t i = 0; i < shape.size(); ++i) {
    const InputInfo::Dim& dim = (*input.dims)[i];
    if (dim.size >= 0 || dim.symbol.empty()) continue;
    const auto [known, is_new] =
        sizes_.emplace(dim.symbol, Size{shape[i], input.name});
    const Size& size = known->second;
    if (is_new || size.size == shape[i]) continue;
    const std::string symbol = Quoted(dim.symbol);
    if (size.input.empty()) {
      throw Error(ExitCode::kInput, source,
                  {fmt::format("dim {} is to be {}, and this is {} for input "
                               "{}: dim {} is {}",
                               symbol, size.size, ShapeText(shape),
                               Quoted(input.name), i, shape[i]),
                   "", ""});
    }
    warnings.push_back(
        {fmt::format("dim {} is {} of input {} and {} of input {}", symbol,
                     size.size, Quoted(size.input), shape[i],
                     Quoted(input.name)),
         "", ""});
  }
}

std::vector<int64_t> DimSizes::Complete(const InputInfo& input) {
  auto known = Known(input);
  if (!known) {
    ones_.push_back(fmt::format("the only dim of {} (its rank is not known)",
                                Quoted(input.name)));
    return {1};
  }
  for (size_t i = 0; i < known->size(); ++i) {
    int64_t& size = (*known)[i];
    if (size >= 0) continue;
    size = 1;
    const std::string& symbol = (*input.dims)[i].symbol;
    const std::string name =
        symbol.empty() ? fmt::format("dim {} of {}", i, Quoted(input.name))
                       : Quoted(symbol);
    if (std::find(ones_.begin(), ones_.end(), name) == ones_.end()) {
      ones_.push_back(name);
    }
  }
  return *known;
}

void DimSizes::WarnOfOnes(Warnings& warnings) const {
  if (ones_.empty()) return;
  constexpr size_t kMost = 8;
  const size_t shown = std::min(ones_.size(), kMost);
  std::string names = Joined(std::span(ones_).first(shown), ", ");
  if (shown < ones_.size()) {
    names += fmt::format(", ... and {} more", ones_.size() - shown);
  }
  warnings.push_back({"taken to be 1, for nothing says otherwise: " + names, "",
                      "--dim N=2 and --shape x=1,3,224,224 give sizes"});
}

}  // namespace onnx_expose

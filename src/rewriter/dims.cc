#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/symbols.h"
#include "onnx_expose/rewriter.h"
#include "rewriter/provenance.h"
#include "rewriter/value_info.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

[[noreturn]] void Refuse(const std::string& what,
                         const std::string& hint = "") {
  throw Error(ExitCode::kRefused, "", {what, "", hint});
}

std::string DidYouMean(const std::string& name,
                       const std::vector<std::string>& names) {
  const std::string near = Nearest(name, names);
  return near.empty() ? "" : fmt::format("did you mean {}?", Quoted(near));
}

// A negative size is how some exporters write "unknown".
bool IsFixed(const onnx::TensorShapeProto::Dimension& dim) {
  return dim.has_dim_value() && dim.dim_value() >= 0;
}

// Sizes of symbols, and dims of single inputs that have no symbol.
class DimPlan {
 public:
  DimPlan(const onnx::GraphProto& graph, const DimOptions& options)
      : graph_(graph) {
    for (const auto& [symbol, size] : options.dims) Fix(symbol, size);
    CheckSymbols(options);
    for (const auto& [input, shape] : options.shapes) Shape(input, shape);
  }

  // Whether anything changed.
  bool Apply(onnx::ValueInfoProto& info) const {
    bool changed = false;
    const auto shape_of = inputs_.find(&info);
    ForEachShape(*info.mutable_type(), [&](onnx::TensorShapeProto& shape) {
      for (int i = 0; i < shape.dim_size(); ++i) {
        auto& dim = *shape.mutable_dim(i);
        if (IsFixed(dim)) continue;
        const auto size = sizes_.find(dim.dim_param());
        if (dim.has_dim_param() && size != sizes_.end()) {
          dim.set_dim_value(size->second);
          changed = true;
        } else if (shape_of != inputs_.end()) {
          dim.set_dim_value((*shape_of->second)[static_cast<size_t>(i)]);
          changed = true;
        }
      }
    });
    return changed;
  }

 private:
  void Fix(const std::string& symbol, int64_t size) {
    if (size < 0) {
      throw Error(ExitCode::kUsage, "",
                  {fmt::format("the size of dim {} is negative: {}",
                               Quoted(symbol), size),
                   "", ""});
    }
    const auto [known, is_new] = sizes_.emplace(symbol, size);
    if (!is_new && known->second != size) {
      Refuse(fmt::format("dim {} is to be {} and {}", Quoted(symbol),
                         known->second, size));
    }
  }

  void CheckSymbols(const DimOptions& options) const {
    Symbols symbols;
    for (const auto& input : graph_.input()) {
      CollectSymbols(input.type(), symbols);
    }
    const std::vector<std::string> names(symbols.begin(), symbols.end());
    for (const auto& [symbol, size] : options.dims) {
      if (symbols.count(symbol) > 0) continue;
      Refuse(fmt::format("no graph input has a dim {}", Quoted(symbol)),
             names.empty() ? "no graph input has a symbolic dim"
                           : "there is " + NameList(names));
    }
  }

  void Shape(const std::string& name, const std::vector<int64_t>& shape) {
    std::vector<std::string> names;
    for (const auto& input : graph_.input()) {
      names.push_back(input.name());
      if (input.name() != name) continue;
      CheckShape(input, shape);
      inputs_.emplace(&input, &shape);
      return;
    }
    Refuse(fmt::format("there is no graph input {}", Quoted(name)),
           DidYouMean(name, names));
  }

  void CheckShape(const onnx::ValueInfoProto& input,
                  const std::vector<int64_t>& shape) {
    const auto& tensor = input.type().tensor_type();
    const std::string name = Quoted(input.name());
    if (!input.type().has_tensor_type() || !tensor.has_shape()) {
      Refuse(fmt::format("the graph input {} has no shape to make concrete",
                         name));
    }
    if (tensor.shape().dim_size() != static_cast<int>(shape.size())) {
      Refuse(fmt::format("the graph input {} is {}, and --shape gives {}", name,
                         Printable(TypeText(input.type())),
                         Counted(shape.size(), "dim")));
    }
    for (int i = 0; i < tensor.shape().dim_size(); ++i) {
      const auto& dim = tensor.shape().dim(i);
      const int64_t size = shape[static_cast<size_t>(i)];
      if (size < 0) Fix(input.name(), size);
      if (IsFixed(dim) && dim.dim_value() != size) {
        Refuse(fmt::format("dim {} of the graph input {} is fixed: {}, not {}",
                           i, name, dim.dim_value(), size));
      }
      Symbols symbols;
      CollectSymbols(input.type(), symbols);
      if (symbols.count(dim.dim_param()) > 0) Fix(dim.dim_param(), size);
    }
  }

  const onnx::GraphProto& graph_;
  std::map<std::string, int64_t> sizes_;
  std::map<const onnx::ValueInfoProto*, const std::vector<int64_t>*> inputs_;
};

// Applies the plan to a list and records entries of the original that changed;
// position(i) is the i-th entry's place there, -1 if it has none.
template <typename List, typename Position>
bool ApplyTo(List& list, const DimPlan& plan,
             std::map<int, std::string>& record, const Position& position) {
  bool any = false;
  for (int i = 0; i < list.size(); ++i) {
    const std::string before = list.Get(i).SerializeAsString();
    if (!plan.Apply(*list.Mutable(i))) continue;
    any = true;
    if (position(i) >= 0) record.emplace(position(i), before);
  }
  return any;
}

}  // namespace

void FixDims(Skeleton& model, const DimOptions& options, bool provenance) {
  if (options.dims.empty() && options.shapes.empty()) return;
  auto& graph = *model.proto.mutable_graph();
  const DimPlan plan(graph, options);
  Provenance record = StartProvenance(model.proto);
  const std::vector<int> positions = OriginalPositions(graph, record);
  bool changed = ApplyTo(*graph.mutable_input(), plan, record.inputs_changed,
                         [](int i) { return i; });
  changed |=
      ApplyTo(*graph.mutable_output(), plan, record.outputs_changed,
              [&](int i) { return i < std::ssize(record.outputs) ? i : -1; });
  changed |=
      ApplyTo(*graph.mutable_value_info(), plan, record.value_info_changed,
              [&](int i) { return positions[static_cast<size_t>(i)]; });
  if (changed && provenance) WriteProvenance(record, model.proto);
}

void RefuseContradiction(const Skeleton& model, const GraphIndex& index,
                         const ValueTypes& before, const ValueTypes& after) {
  const auto contradicted = [](const ValueTypes& types, int value) {
    return std::binary_search(types.contradicted.begin(),
                              types.contradicted.end(), value);
  };
  for (int i = 0; i < index.node_output_count(); ++i) {
    const auto at = static_cast<size_t>(i);
    const bool lost = before.origins[at] == TypeOrigin::kInferred &&
                      after.origins[at] != TypeOrigin::kInferred;
    const bool other = contradicted(after, i) && !contradicted(before, i);
    if (!lost && !other) continue;
    const Value& value = index.values()[at];
    std::vector<std::string> reads;
    for (const int read : index.Reads(value.node)) {
      reads.push_back(TypeText(after.types[static_cast<size_t>(read)]));
    }
    throw Error(
        ExitCode::kRefused, model.source->path(),
        {fmt::format("with these sizes of --dim and --shape {} is {}",
                     Quoted(value.name),
                     lost ? "no longer possible"
                          : TypeText(after.types[at]) +
                                ", and the model declares another type"),
         fmt::format("{} reads {}", index.Describe(value.node),
                     Joined(reads, ", ")),
         ""});
  }
}

}  // namespace onnx_expose

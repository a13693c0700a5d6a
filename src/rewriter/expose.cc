#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "onnx_expose/rewriter.h"
#include "rewriter/added_output.h"
#include "rewriter/annotate.h"
#include "rewriter/lift.h"
#include "rewriter/provenance.h"
#include "rewriter/suffix.h"
#include "rewriter/value_info.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// A value of the main graph that is to become an output.
struct Candidate {
  int value;
  std::vector<int> order;
  // Of a value that was brought out of a body or function.
  bool lifted = false;
  ExposedValue origin;
  std::string doc;
};

class Exposer {
 public:
  // `report` is what there is to say already.
  Exposer(Skeleton& model, const GraphIndex& index, const ValueTypes& types,
          const ExposeOptions& options, Provenance record, ExposeReport report)
      : model_(model),
        graph_(*model.proto.mutable_graph()),
        index_(index),
        types_(types),
        options_(options),
        record_(std::move(record)),
        copies_(index, options.suffix),
        report_(std::move(report)) {}

  ExposeReport Run(std::vector<Candidate> candidates) {
    RefuseDanglingOutputs();
    outputs_.reserve(candidates.size());
    for (const auto& output : graph_.output()) outputs_.insert(output.name());
    first_added_ = graph_.output_size();
    for (Candidate& candidate : candidates) Expose(candidate);
    ReportTypes();
    if (graph_.value_info_size() > 0) ForgetValueInfo();
    bool changed = !added_.empty();
    if (options_.annotate) {
      AnnotateNodes(graph_, index_, types_, added_, record_);
      changed |= AnnotateTypes(graph_, index_, types_);
    }
    if (changed && options_.provenance) {
      WriteProvenance(record_, model_.proto);
    }
    return std::move(report_);
  }

 private:
  const Value& At(int value) const {
    return index_.values()[static_cast<size_t>(value)];
  }
  const onnx::TypeProto& Type(int value) const {
    return types_.types[static_cast<size_t>(value)];
  }

  // A value that becomes an output leaves value_info.
  void ForgetValueInfo() {
    std::unordered_set<std::string_view> names;
    for (int i = first_added_; i < graph_.output_size(); ++i) {
      names.insert(graph_.output(i).name());
    }
    RemoveValueInfo(graph_, record_, [&](const onnx::ValueInfoProto& info) {
      return names.count(info.name()) > 0;
    });
  }

  // Checkers before onnx 1.17 let them pass, ONNX Runtime doesn't.
  void RefuseDanglingOutputs() const {
    for (const auto& output : graph_.output()) {
      if (output.name().empty() || index_.FindIn(0, output.name()) >= 0) {
        continue;
      }
      throw Error(ExitCode::kInput, model_.source->path(),
                  {fmt::format("the graph output {} is defined by no node, "
                               "input or initializer",
                               Quoted(output.name())),
                   "ONNX Runtime refuses such a model",
                   "see what else is wrong with 'onnx-expose check'"});
    }
  }

  void Expose(Candidate& candidate) {
    const int i = candidate.value;
    const Value& value = At(i);
    std::string name(value.name);
    // What was brought out has a name of its own.
    const bool copy = !options_.suffix.empty() && !candidate.lifted;
    if (outputs_.count(name) > 0 || (copy && copies_.IsCopied(value))) {
      auto& already = report_.already_outputs;
      // Under that name an earlier expose brought it out, and it was selected.
      if (std::find(already.begin(), already.end(), name) == already.end()) {
        already.push_back(std::move(name));
      }
      return;
    }
    const std::string obstacle = Obstacle(i, copy);
    if (!obstacle.empty()) {
      report_.skipped.push_back({std::move(name), obstacle});
      return;
    }
    if (copy) name = copies_.Append(value, graph_);
    added_.push_back(i);
    outputs_.insert(AppendOutput(graph_, name, Type(i), candidate.doc));
    ExposedValue added = std::move(candidate.origin);
    added.name = std::move(name);
    added.type = TypeText(Type(i));
    report_.added.push_back(std::move(added));
  }

  // Why the value can't or shouldn't become an output; empty if it can.
  std::string Obstacle(int i, bool copy) {
    const Value& value = At(i);
    if (IsSparseConstant(value)) {
      return "ONNX Runtime can't run a model that returns a sparse Constant";
    }
    if (copy) {
      std::string obstacle = copies_.Obstacle(Type(i));
      if (!obstacle.empty()) return obstacle;
    }
    const TypeState state = StateOf(Type(i));
    if (state == TypeState::kComplete) return "";
    untyped_.push_back(i);
    if (options_.untyped == Untyped::kKeep) return "";
    return state == TypeState::kUnknown ? "its type is unknown"
                                        : "its rank is unknown";
  }

  // Or what Identity nodes pass on of one: ONNX Runtime makes it dense, which
  // no type we could write says (onnx-facts 1.15).
  bool IsSparseConstant(const Value& value) const {
    const auto& node = *index_.nodes()[static_cast<size_t>(value.node)].node;
    if (!NormalDomain(node.domain()).empty()) return false;
    if (node.op_type() == "Identity") {
      const int i = static_cast<int>(&value - index_.values().data());
      return Type(i).has_sparse_tensor_type();
    }
    return node.op_type() == "Constant" &&
           std::any_of(node.attribute().begin(), node.attribute().end(),
                       [](const onnx::AttributeProto& attribute) {
                         return attribute.has_sparse_tensor();
                       });
  }

  std::vector<std::string> Names(const std::vector<int>& values) const {
    std::vector<std::string> names;
    for (const int i : values) names.emplace_back(At(i).name);
    return names;
  }

  void ReportTypes() {
    ReportUntyped();
    std::vector<int> contradicted;
    std::vector<int> half;
    for (const int i : added_) {
      if (std::binary_search(types_.contradicted.begin(),
                             types_.contradicted.end(), i)) {
        contradicted.push_back(i);
      }
      if (Type(i).tensor_type().elem_type() == onnx::TensorProto::FLOAT16) {
        half.push_back(i);
      }
    }
    if (!contradicted.empty()) {
      report_.warnings.push_back(
          {fmt::format("value_info contradicts what inference proves for {}",
                       NameList(Names(contradicted))),
           "the inferred type is written", ""});
    }
    if (!half.empty()) {
      report_.warnings.push_back(
          {fmt::format("float16: {}", NameList(Names(half))),
           "on a CPU ONNX Runtime computes these in float32 and rounds only "
           "what is an output, so the original outputs may move a little",
           ""});
    }
  }

  void ReportUntyped() {
    if (untyped_.empty()) return;
    const std::string names = NameList(Names(untyped_));
    if (options_.untyped == Untyped::kError) {
      throw Error(ExitCode::kRefused, model_.source->path(),
                  {fmt::format("type or rank unknown: {}", names), UnknownOps(),
                   "say it with --type, or drop --untyped error"});
    }
    const bool kept = options_.untyped == Untyped::kKeep;
    report_.warnings.push_back(
        {fmt::format("type or rank unknown: {}", names), UnknownOps(),
         kept ? "written without what is unknown; say it with --type NAME=TYPE"
              : "left out; say it with --type NAME=TYPE"});
  }

  // The operators that ended inference.
  std::string UnknownOps() const {
    std::vector<std::string> ops;
    for (const int node : types_.unknown_ops) {
      const auto& proto = *index_.nodes()[static_cast<size_t>(node)].node;
      std::string op = proto.domain().empty()
                           ? proto.op_type()
                           : proto.domain() + "::" + proto.op_type();
      if (std::find(ops.begin(), ops.end(), op) == ops.end()) {
        ops.push_back(std::move(op));
      }
    }
    return ops.empty()
               ? ""
               : "inference has nothing to go on behind " + NameList(ops);
  }

  Skeleton& model_;
  onnx::GraphProto& graph_;
  const GraphIndex& index_;
  const ValueTypes& types_;
  const ExposeOptions& options_;
  Provenance record_;
  SuffixCopies copies_;
  std::unordered_set<std::string_view> outputs_;  // names in graph_
  int first_added_ = 0;
  std::vector<int> added_;
  std::vector<int> untyped_;
  ExposeReport report_;
};

}  // namespace

ExposeReport ExposeOutputs(Skeleton& model, const GraphIndex& index,
                           const ValueTypes& types, const Selection& selection,
                           const ExposeOptions& options) {
  ExposeReport report;
  report.warnings = types.warnings;
  report.warnings.insert(report.warnings.end(), selection.warnings.begin(),
                         selection.warnings.end());
  std::vector<Candidate> candidates;
  candidates.reserve(selection.values.size());
  std::vector<int> inner;
  std::map<int, Candidate> inner_origins;
  for (const int i : selection.values) {
    const Value& value = index.values()[static_cast<size_t>(i)];
    const int node = index.nodes()[static_cast<size_t>(value.node)].own_index;
    Candidate candidate = {i, OrderOf(node, value.output), value.scope != 0,
                           Origin(index, value), OutputDoc(index, value)};
    if (candidate.lifted) {
      inner.push_back(i);
      inner_origins.emplace(i, std::move(candidate));
    } else {
      candidates.push_back(std::move(candidate));
    }
  }
  Provenance record = StartProvenance(model.proto);
  if (inner.empty()) {
    return Exposer(model, index, types, options, std::move(record),
                   std::move(report))
        .Run(std::move(candidates));
  }

  LiftResult lifts =
      LiftValues(model, inner, options.infer, options.last, record);
  report.skipped = std::move(lifts.skipped);
  report.already_outputs = std::move(lifts.already);
  report.warnings.insert(report.warnings.end(), lifts.warnings.begin(),
                         lifts.warnings.end());
  const GraphIndex now(model.proto);
  for (Candidate& candidate : candidates) {
    candidate.value = now.FindIn(0, candidate.origin.value);
  }
  InferOptions infer = options.infer;
  for (LiftedValue& lifted : lifts.lifted) {
    if (HasElementType(lifted.type)) {
      infer.given.emplace_back(lifted.name, std::move(lifted.type));
    }
    Candidate candidate = inner_origins.at(lifted.value);
    candidate.value = now.FindIn(0, lifted.name);
    candidate.order = std::move(lifted.order);
    candidates.push_back(std::move(candidate));
  }
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
  return Exposer(model, now, InferTypes(now, infer), options, std::move(record),
                 std::move(report))
      .Run(std::move(candidates));
}

}  // namespace onnx_expose

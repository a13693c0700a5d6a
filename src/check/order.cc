#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "check/rules.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// A node that stands before the one whose output it (or a body in it) reads.
struct EarlyReader {
  int reader;
  int value;
};

// Walks the nodes as the checker does: in list order, those of a body before
// the node that holds it.
class DefinitionWalk {
 public:
  explicit DefinitionWalk(Subject& subject)
      : subject_(subject),
        index_(subject.index),
        defined_(index_.values().size(), Defined::kNot) {}

  std::vector<EarlyReader> Walk() {
    for (size_t i = 0; i < index_.scopes().size(); ++i) {
      DefineGiven(static_cast<int>(i));
    }
    for (size_t i = 0; i < index_.nodes().size(); ++i) {
      const int node = static_cast<int>(i);
      const NodeRef& ref = index_.nodes()[i];
      for (const auto& name : ref.node->input()) Read(node, ref.scope, name);
      for (const auto& name : ref.node->output()) Define(node, ref.scope, name);
    }
    return std::move(early_);
  }

 private:
  enum class Defined : char { kNot, kInput, kInitializer, kNode };

  void DefineGiven(int scope) {
    const auto define = [&](const std::string& name, Defined how) {
      const int value = index_.FindIn(scope, name);
      if (value >= 0 && defined_[static_cast<size_t>(value)] == Defined::kNot) {
        defined_[static_cast<size_t>(value)] = how;
      }
    };
    const Scope& here = index_.scopes()[static_cast<size_t>(scope)];
    if (here.function != nullptr) {
      for (const auto& name : here.function->input()) {
        define(name, Defined::kInput);
      }
      return;
    }
    for (const auto& input : here.graph->input()) {
      define(input.name(), Defined::kInput);
    }
    for (const auto& tensor : here.graph->initializer()) {
      define(tensor.name(), Defined::kInitializer);
    }
    for (const auto& tensor : here.graph->sparse_initializer()) {
      define(tensor.values().name(), Defined::kInitializer);
    }
  }

  // The value of this name that is defined by now, in the scope or around it.
  int Visible(int scope, const std::string& name) const {
    for (; scope >= 0;
         scope = index_.scopes()[static_cast<size_t>(scope)].parent) {
      const int value = index_.FindIn(scope, name);
      if (value >= 0 && defined_[static_cast<size_t>(value)] != Defined::kNot) {
        return value;
      }
    }
    return -1;
  }

  void Read(int node, int scope, const std::string& name) {
    if (name.empty() || Visible(scope, name) >= 0) return;
    const int value = index_.Resolve(scope, name);
    if (value >= 0) {
      early_.push_back({node, value});
      return;
    }
    subject_.findings.Error(
        subject_.places.Node(node),
        fmt::format("reads {}, which nothing defines", Quoted(name)));
  }

  void Define(int node, int scope, const std::string& name) {
    if (name.empty()) return;
    const int before = Visible(scope, name);
    if (before >= 0) {
      subject_.findings.Error(
          subject_.places.Node(node),
          fmt::format("defines {}, which is {} already", Quoted(name),
                      Definition(before, scope)));
    }
    Defined& here = defined_[static_cast<size_t>(index_.FindIn(scope, name))];
    if (here == Defined::kNot) here = Defined::kNode;
  }

  // "the output of node 'n0' (Relu)", "an input", with "around the body" when
  // it isn't defined in `scope` itself.
  std::string Definition(int value, int scope) const {
    const Value& known = index_.values()[static_cast<size_t>(value)];
    const Defined how = defined_[static_cast<size_t>(value)];
    std::string text =
        how == Defined::kInput ? "an input"
        : how == Defined::kInitializer
            ? "an initializer"
            : "an output of " + subject_.places.LocalNode(known.node);
    if (known.scope != scope) text += " around the body";
    return text;
  }

  Subject& subject_;
  const GraphIndex& index_;
  // By value; of several of one name, the one that FindIn gives.
  std::vector<Defined> defined_;
  std::vector<EarlyReader> early_;
};

// Who waits for whom: a node for the nodes of its own scope whose outputs it
// reads, itself or in its bodies.
class Sorter {
 public:
  explicit Sorter(Subject& subject)
      : index_(subject.index),
        waits_(index_.nodes().size(), 0),
        placed_(index_.nodes().size(), false) {
    for (int i = 0; i < Count(); ++i) {
      ForEachReader(i,
                    [&](int reader) { ++waits_[static_cast<size_t>(reader)]; });
    }
  }

  // Every node behind those it waits for, otherwise in list order, those on
  // and behind cycles last.
  std::vector<int> Sort() {
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (int i = 0; i < Count(); ++i) {
      if (waits_[static_cast<size_t>(i)] == 0) ready.push(i);
    }
    std::vector<int> order;
    while (!ready.empty()) {
      const int node = ready.top();
      ready.pop();
      order.push_back(node);
      placed_[static_cast<size_t>(node)] = true;
      ForEachReader(node, [&](int reader) {
        if (--waits_[static_cast<size_t>(reader)] == 0) ready.push(reader);
      });
    }
    for (int i = 0; i < Count(); ++i) {
      if (!placed_[static_cast<size_t>(i)]) order.push_back(i);
    }
    return order;
  }

  // After Sort(): cycles that share no node, each in the order of its edges.
  std::vector<std::vector<int>> Cycles() const {
    std::vector<std::vector<int>> cycles;
    std::vector<int> walk_of(index_.nodes().size(), -1);
    for (int start = 0; start < Count(); ++start) {
      std::vector<int> path;
      int node = start;
      while (node >= 0 && !placed_[static_cast<size_t>(node)] &&
             walk_of[static_cast<size_t>(node)] < 0) {
        walk_of[static_cast<size_t>(node)] = start;
        path.push_back(node);
        node = WaitsFor(node);
      }
      if (path.empty() || node < 0 ||
          walk_of[static_cast<size_t>(node)] != start) {
        continue;
      }
      path.erase(path.begin(), std::find(path.begin(), path.end(), node));
      std::reverse(path.begin(), path.end());
      cycles.push_back(std::move(path));
    }
    return cycles;
  }

 private:
  int Count() const { return static_cast<int>(index_.nodes().size()); }

  // A value's readers in its own scope; a body's readers count as its owner,
  // which GraphIndex has among them.
  template <typename Visit>
  void ForEachReader(int node, const Visit& visit) const {
    for (const int value : index_.Writes(node)) {
      for (const int reader : index_.Readers(value)) {
        if (Scope(reader) == Scope(node)) visit(reader);
      }
    }
  }

  // A node on or behind a cycle that this one, which is too, waits for.
  int WaitsFor(int node) const {
    for (const int value : index_.Reads(node)) {
      const int producer = index_.values()[static_cast<size_t>(value)].node;
      if (producer >= 0 && Scope(producer) == Scope(node) &&
          !placed_[static_cast<size_t>(producer)]) {
        return producer;
      }
    }
    return -1;
  }

  int Scope(int node) const {
    return index_.nodes()[static_cast<size_t>(node)].scope;
  }

  const GraphIndex& index_;
  std::vector<int> waits_;
  std::vector<bool> placed_;
};

// Reports the cycles and returns the nodes on them.
std::vector<bool> CheckCycles(Subject& subject, const Sorter& sorter) {
  std::vector<bool> on_cycle(subject.index.nodes().size(), false);
  for (const std::vector<int>& cycle : sorter.Cycles()) {
    std::vector<std::string> names;
    for (const int node : cycle) {
      on_cycle[static_cast<size_t>(node)] = true;
      const auto& proto = subject.node(node);
      names.push_back(proto.name().empty() ? proto.op_type() : proto.name());
    }
    const int scope =
        subject.index.nodes()[static_cast<size_t>(cycle.front())].scope;
    subject.findings.Error(
        subject.places.Scope(scope),
        cycle.size() == 1
            ? fmt::format("node {} waits for its own output", NameList(names))
            : fmt::format("{} wait for each other in a cycle: {}",
                          Counted(cycle.size(), "node"), NameList(names)));
    subject.no_inference = "nodes wait for each other in a cycle";
  }
  return on_cycle;
}

}  // namespace

void CheckOrder(Subject& subject) {
  const std::vector<EarlyReader> early = DefinitionWalk(subject).Walk();
  if (early.empty()) return;
  Sorter sorter(subject);
  const std::vector<int> order = sorter.Sort();
  for (auto& nodes : subject.nodes) nodes.clear();
  for (const int node : order) {
    const int scope = subject.index.nodes()[static_cast<size_t>(node)].scope;
    subject.nodes[static_cast<size_t>(scope)].push_back(node);
  }
  const std::vector<bool> on_cycle = CheckCycles(subject, sorter);
  for (const auto& [reader, value] : early) {
    const Value& read = subject.index.values()[static_cast<size_t>(value)];
    if (on_cycle[static_cast<size_t>(reader)] &&
        on_cycle[static_cast<size_t>(read.node)]) {
      continue;
    }
    const bool in_main =
        subject.index.nodes()[static_cast<size_t>(reader)].scope == 0;
    subject.findings.Error(
        subject.places.Node(reader),
        fmt::format("reads {} before {} computes it", Quoted(read.name),
                    subject.places.LocalNode(read.node)),
        in_main ? "ONNX Runtime sorts the nodes itself" : "");
  }
}

}  // namespace onnx_expose

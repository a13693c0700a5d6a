#include "onnx_expose/graph_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/constant_values.h"
#include "model/marks.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

std::string FunctionKey(std::string_view domain, std::string_view name,
                        std::string_view overload) {
  return fmt::format("{}\n{}\n{}", NormalDomain(domain), name, overload);
}

// How a node is called in scope paths.
std::string NodeLabel(const onnx::NodeProto& node, int position) {
  if (!node.name().empty()) return node.name();
  return fmt::format("{}_{}", node.op_type(), position);
}

}  // namespace

std::string_view NormalDomain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

std::span<const int> GraphIndex::Table::Row(int key) const {
  const auto at = static_cast<size_t>(key);
  return std::span(items).subspan(
      static_cast<size_t>(start[at]),
      static_cast<size_t>(start[at + 1] - start[at]));
}

GraphIndex::GraphIndex(const onnx::ModelProto& model) : model_(model) {
  scopes_.emplace_back();
  scopes_[0].graph = &model.graph();
  writes_.start.push_back(0);
  AddGraph(0);
  AddFunctions();
  node_output_count_ = static_cast<int>(values_.size());

  // Inputs and initializers come last, so that node outputs are a prefix.
  for (int scope = 0; scope < static_cast<int>(scopes_.size()); ++scope) {
    const Scope& here = scopes_[static_cast<size_t>(scope)];
    const auto add = [&](const std::string& name, Value::Kind kind) {
      if (name.empty() || FindIn(scope, name) >= 0) return;
      Value value;
      value.name = name;
      value.kind = kind;
      value.scope = scope;
      Define(value);
    };
    if (here.function != nullptr) {
      for (const auto& name : here.function->input()) {
        add(name, Value::Kind::kInput);
      }
      continue;
    }
    for (const auto& input : here.graph->input()) {
      add(input.name(), Value::Kind::kInput);
    }
    for (const auto& tensor : here.graph->initializer()) {
      add(tensor.name(), Value::Kind::kInitializer);
    }
    for (const auto& tensor : here.graph->sparse_initializer()) {
      add(tensor.values().name(), Value::Kind::kInitializer);
    }
  }
  LinkReads();
  MarkOutputs();
  for (const int constant : ConstantValues(*this)) {
    values_[static_cast<size_t>(constant)].constant = true;
  }
}

void GraphIndex::AddGraph(int scope) {
  if (names_.size() < scopes_.size()) names_.resize(scopes_.size());
  const int count = scopes_[static_cast<size_t>(scope)].nodes().size();
  names_[static_cast<size_t>(scope)].reserve(static_cast<size_t>(count));
  int own = 0;
  for (int i = 0; i < count; ++i) {
    const bool added = IsAdded(
        scopes_[static_cast<size_t>(scope)].nodes().Get(i).doc_string());
    AddNode(scope, i, own);
    if (!added) ++own;
  }
}

void GraphIndex::AddNode(int scope, int position, int own_position) {
  const onnx::NodeProto& node =
      scopes_[static_cast<size_t>(scope)].nodes().Get(position);
  const bool added =
      scopes_[static_cast<size_t>(scope)].added || IsAdded(node.doc_string());
  std::vector<int> bodies;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) {
      AddBody(scope, node, own_position, attribute, attribute.g(), -1, bodies);
    }
    for (int i = 0; i < attribute.graphs_size(); ++i) {
      AddBody(scope, node, own_position, attribute, attribute.graphs(i), i,
              bodies);
    }
  }
  const int self = static_cast<int>(nodes_.size());
  nodes_.push_back({&node, scope, position, own_position});
  for (const int body : bodies) scopes_[static_cast<size_t>(body)].owner = self;
  bodies_.push_back(std::move(bodies));
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    Value value;
    value.name = node.output(i);
    value.scope = scope;
    value.node = self;
    value.output = i;
    value.added = added;
    writes_.items.push_back(static_cast<int>(values_.size()));
    Define(value);
  }
  writes_.start.push_back(static_cast<int>(writes_.items.size()));
}

void GraphIndex::AddBody(int scope, const onnx::NodeProto& node,
                         int own_position,
                         const onnx::AttributeProto& attribute,
                         const onnx::GraphProto& body, int number,
                         std::vector<int>& bodies) {
  const int self = static_cast<int>(scopes_.size());
  const std::string& outer = scopes_[static_cast<size_t>(scope)].path;
  Scope inner;
  inner.kind = Scope::Kind::kBody;
  inner.parent = scope;
  inner.attribute = attribute.name();
  inner.added =
      scopes_[static_cast<size_t>(scope)].added || IsAdded(node.doc_string());
  inner.graph = &body;
  inner.path = fmt::format("{}{}{}/{}", outer, outer.empty() ? "" : "/",
                           NodeLabel(node, own_position), attribute.name());
  if (number >= 0) inner.path += fmt::format("_{}", number);
  scopes_.push_back(std::move(inner));
  bodies.push_back(self);
  AddGraph(self);
}

void GraphIndex::AddFunctions() {
  for (const auto& function : model_.functions()) {
    const int self = static_cast<int>(scopes_.size());
    Scope scope;
    scope.kind = Scope::Kind::kFunction;
    scope.function = &function;
    scope.path = fmt::format("{}::{}", function.domain(), function.name());
    if (!function.overload().empty()) scope.path += ":" + function.overload();
    scopes_.push_back(std::move(scope));
    functions_.emplace(
        FunctionKey(function.domain(), function.name(), function.overload()),
        self);
    AddGraph(self);
  }
}

void GraphIndex::Define(const Value& value) {
  names_[static_cast<size_t>(value.scope)].emplace(
      value.name, static_cast<int>(values_.size()));
  values_.push_back(value);
}

int GraphIndex::FindIn(int scope, std::string_view name) const {
  const auto& names = names_[static_cast<size_t>(scope)];
  const auto found = names.find(name);
  return found == names.end() ? -1 : found->second;
}

int GraphIndex::Resolve(int scope, std::string_view name) const {
  if (name.empty()) return -1;
  for (; scope >= 0; scope = scopes_[static_cast<size_t>(scope)].parent) {
    const int found = FindIn(scope, name);
    if (found >= 0) return found;
  }
  return -1;
}

// What a node reads includes what its bodies capture. Nodes in bodies come
// before their owner, so each hands its captures on to the owner.
void GraphIndex::LinkReads() {
  std::vector<std::vector<int>> captured(scopes_.size());
  std::vector<int> counts(values_.size(), 0);
  reads_.start.push_back(0);
  std::vector<int> reads;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const NodeRef& ref = nodes_[i];
    reads.clear();
    for (const std::string& name : ref.node->input()) {
      const int value = Resolve(ref.scope, name);
      if (value >= 0) reads.push_back(value);
    }
    for (const int body : bodies_[i]) {
      for (const auto& output :
           scopes_[static_cast<size_t>(body)].graph->output()) {
        const int value = Resolve(body, output.name());
        if (value >= 0) captured[static_cast<size_t>(body)].push_back(value);
      }
      for (const int value : captured[static_cast<size_t>(body)]) {
        if (values_[static_cast<size_t>(value)].scope != body) {
          reads.push_back(value);
        }
      }
      captured[static_cast<size_t>(body)] = {};
    }
    std::sort(reads.begin(), reads.end());
    reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    const Scope& scope = scopes_[static_cast<size_t>(ref.scope)];
    for (const int value : reads) {
      ++counts[static_cast<size_t>(value)];
      if (scope.kind == Scope::Kind::kBody &&
          values_[static_cast<size_t>(value)].scope != ref.scope) {
        captured[static_cast<size_t>(ref.scope)].push_back(value);
      }
    }
    reads_.items.insert(reads_.items.end(), reads.begin(), reads.end());
    reads_.start.push_back(static_cast<int>(reads_.items.size()));
  }

  readers_.start.assign(values_.size() + 1, 0);
  for (size_t i = 0; i < counts.size(); ++i) {
    readers_.start[i + 1] = readers_.start[i] + counts[i];
  }
  readers_.items.resize(reads_.items.size());
  std::vector<int> next(readers_.start.begin(), readers_.start.end() - 1);
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
    for (const int value : reads_.Row(node)) {
      readers_.items[static_cast<size_t>(next[static_cast<size_t>(value)]++)] =
          node;
    }
  }
}

void GraphIndex::MarkOutputs() {
  for (int scope = 0; scope < static_cast<int>(scopes_.size()); ++scope) {
    const Scope& here = scopes_[static_cast<size_t>(scope)];
    const auto mark = [&](const std::string& name) {
      const int value = FindIn(scope, name);
      if (value >= 0) values_[static_cast<size_t>(value)].is_output = true;
    };
    if (here.function != nullptr) {
      for (const auto& name : here.function->output()) mark(name);
    } else {
      for (const auto& output : here.graph->output()) mark(output.name());
    }
  }
}

std::span<const int> GraphIndex::Reads(int node) const {
  return reads_.Row(node);
}

std::span<const int> GraphIndex::Readers(int value) const {
  return readers_.Row(value);
}

std::span<const int> GraphIndex::Writes(int node) const {
  return writes_.Row(node);
}

const std::vector<int>& GraphIndex::BodiesOf(int node) const {
  return bodies_[static_cast<size_t>(node)];
}

int GraphIndex::Callee(int node) const {
  if (functions_.empty()) return -1;
  const onnx::NodeProto& caller = *nodes_[static_cast<size_t>(node)].node;
  const auto found = functions_.find(
      FunctionKey(caller.domain(), caller.op_type(), caller.overload()));
  return found == functions_.end() ? -1 : found->second;
}

std::string GraphIndex::Label(int node) const {
  const NodeRef& ref = nodes_[static_cast<size_t>(node)];
  return NodeLabel(*ref.node, ref.own_index);
}

std::string GraphIndex::Describe(int node) const {
  const NodeRef& ref = nodes_[static_cast<size_t>(node)];
  const std::string op = Printable(ref.node->op_type());
  if (ref.node->name().empty()) {
    return fmt::format("{} (unnamed node {})", op, ref.index);
  }
  return fmt::format("{} {}", op, Quoted(ref.node->name()));
}

}  // namespace onnx_expose

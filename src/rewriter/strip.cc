#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "model/marks.h"
#include "onnx_expose/rewriter.h"
#include "rewriter/provenance.h"
#include "rewriter/remove.h"
#include "rewriter/restore_bodies.h"
#include "rewriter/value_info.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Puts entries of a list back as they were.
template <typename List>
bool Restore(List& list, const std::map<int, std::string>& entries) {
  bool fits = true;
  for (const auto& [position, bytes] : entries) {
    fits = position >= 0 && position < list.size() &&
           list.Mutable(position)->ParseFromString(bytes) && fits;
  }
  return fits;
}

bool RestoreDocs(onnx::GraphProto& graph, const Provenance& record) {
  bool fits = true;
  for (const auto& [position, doc] : record.node_docs) {
    if (position < 0 || position >= graph.node_size()) {
      fits = false;
    } else if (doc) {
      graph.mutable_node(position)->set_doc_string(*doc);
    } else {
      graph.mutable_node(position)->clear_doc_string();
    }
  }
  return fits;
}

// Positions in the record would be those of other outputs.
void RefuseOtherOutputs(const std::string& file, const onnx::GraphProto& graph,
                        const Provenance& record) {
  const auto& outputs = graph.output();
  for (int i = 0; i < std::ssize(record.outputs); ++i) {
    const std::string& name = record.outputs[static_cast<size_t>(i)];
    if (i < outputs.size() && outputs.Get(i).name() == name) continue;
    const bool moved =
        std::any_of(outputs.begin(), outputs.end(),
                    [&](const auto& output) { return output.name() == name; });
    throw Error(
        ExitCode::kRefused, file,
        {fmt::format("the output {} of the original {}", Quoted(name),
                     moved ? "is at another place" : "is gone"),
         "another tool changed the outputs after values were exposed, and the "
         "original can't be told any more",
         "strip the model before other tools change it"});
  }
}

// Without a record only the copies of --suffix are known to be ours alone.
bool RemoveCopies(onnx::GraphProto& graph) {
  return Remove(*graph.mutable_node(), [](const onnx::NodeProto& node, int) {
    return node.op_type() == "Identity" && IsAdded(node.doc_string());
  });
}

}  // namespace

StripReport StripOutputs(Skeleton& model, bool allow_empty) {
  StripReport report;
  auto& graph = *model.proto.mutable_graph();
  const auto record = ReadProvenance(model.proto);
  if (record) RefuseOtherOutputs(model.source->path(), graph, *record);
  const auto outputs = record ? std::ssize(record->outputs) : 0;

  bool changed = record.has_value();
  changed |= Remove(
      *graph.mutable_output(), [&](const onnx::ValueInfoProto& output, int i) {
        const bool ours = i >= outputs && IsMarked(output.doc_string());
        if (ours) report.removed.push_back(output.name());
        return ours;
      });
  changed |= record ? RestoreBodies(model.proto, *record) : RemoveCopies(graph);
  if (!changed) {
    if (allow_empty) return report;
    throw Error(ExitCode::kRefused, model.source->path(),
                {"nothing was exposed in this model", "",
                 "with --allow-empty the result is a copy"});
  }
  if (!record) {
    Remove(*graph.mutable_value_info(),
           [](const onnx::ValueInfoProto& info, int) {
             return IsMarked(info.doc_string());
           });
    report.warnings.push_back(
        {"the model has no record of what exposing changed",
         "value_info entries of exposed values, dims made concrete, "
         "doc_strings "
         "of nodes and outputs of bodies and functions can't be restored",
         ""});
    return report;
  }
  bool fits = Restore(*graph.mutable_input(), record->inputs_changed);
  fits = Restore(*graph.mutable_output(), record->outputs_changed) && fits;
  fits = RestoreDocs(graph, *record) && fits;
  fits = RestoreValueInfo(graph, *record) && fits;
  fits = fits && graph.output_size() == outputs &&
         graph.node_size() == record->nodes;
  if (!fits) {
    report.warnings.push_back(
        {"the model was changed by another tool after values were exposed",
         "the result is not the original byte for byte", ""});
  }
  RemoveProvenance(model.proto);
  return report;
}

}  // namespace onnx_expose

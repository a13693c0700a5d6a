#include "rewriter/value_info.h"

#include <utility>

namespace onnx_expose {

std::vector<int> OriginalPositions(const onnx::GraphProto& graph,
                                   const Provenance& record) {
  std::vector<int> positions;
  int next = 0;
  for (int i = 0; i < graph.value_info_size(); ++i) {
    while (record.value_info_removed.count(next) > 0) ++next;
    positions.push_back(next < record.value_info ? next++ : -1);
  }
  return positions;
}

void RemoveValueInfo(
    onnx::GraphProto& graph, Provenance& record,
    const std::function<bool(const onnx::ValueInfoProto&)>& leaves) {
  const std::vector<int> positions = OriginalPositions(graph, record);
  auto& list = *graph.mutable_value_info();
  int kept = 0;
  for (int i = 0; i < list.size(); ++i) {
    if (!leaves(list.Get(i))) {
      list.SwapElements(kept++, i);
      continue;
    }
    const int position = positions[static_cast<size_t>(i)];
    if (position < 0) continue;
    const auto changed = record.value_info_changed.find(position);
    if (changed != record.value_info_changed.end()) {
      record.value_info_removed[position] = std::move(changed->second);
      record.value_info_changed.erase(changed);
    } else {
      record.value_info_removed[position] = list.Get(i).SerializeAsString();
    }
  }
  list.DeleteSubrange(kept, list.size() - kept);
}

bool RestoreValueInfo(onnx::GraphProto& graph, const Provenance& record) {
  const std::vector<int> positions = OriginalPositions(graph, record);
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> original;
  bool fits = true;
  size_t next = 0;
  for (int position = 0; position < record.value_info; ++position) {
    const auto removed = record.value_info_removed.find(position);
    if (removed != record.value_info_removed.end()) {
      fits = original.Add()->ParseFromString(removed->second) && fits;
      continue;
    }
    if (next >= positions.size() || positions[next] != position) {
      fits = false;
      break;
    }
    auto* entry = original.Add();
    entry->Swap(graph.mutable_value_info(static_cast<int>(next++)));
    const auto changed = record.value_info_changed.find(position);
    if (changed != record.value_info_changed.end()) {
      fits = entry->ParseFromString(changed->second) && fits;
    }
  }
  graph.mutable_value_info()->Swap(&original);
  return fits;
}

}  // namespace onnx_expose

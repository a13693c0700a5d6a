#include <set>
#include <string>

#include "onnx_expose/compare.h"
#include "tensor/dump_folder.h"

namespace onnx_expose {
namespace {

void SaveSet(const ValueSource& source, const std::string& set,
             const DumpHeader& header, const std::string& folder,
             bool statistics_only) {
  DumpOptions options;
  options.stats_only = statistics_only;
  options.force = true;
  DumpWriter dump(folder, options);
  int index = 0;
  for (size_t i = 0; i < source.entries().size(); ++i) {
    const ValueSource::Entry& entry = source.entries()[i];
    if (entry.set != set) continue;
    DumpedValue value;
    value.index = index++;
    value.name = entry.name;
    value.op_type = entry.op_type;
    value.node = entry.node;
    value.scope = entry.scope;
    value.inputs = entry.inputs;
    dump.Add(value, source.Read(i));
  }
  DumpHeader copy = header;
  // What they are is known by their checksums.
  for (DumpHeader::Input& input : copy.inputs) input.file.clear();
  dump.Finish(copy);
}

}  // namespace

void SaveBaseline(const ValueSource& source, const std::string& folder,
                  bool statistics_only) {
  std::set<std::string> sets;
  for (const ValueSource::Entry& entry : source.entries()) {
    sets.insert(entry.set);
  }
  const std::vector<const Manifest*> manifests = source.manifests();
  size_t position = 0;
  for (const std::string& set : sets) {
    const DumpHeader header = position < manifests.size()
                                  ? DumpHeader(*manifests[position])
                                  : DumpHeader();
    ++position;
    SaveSet(source, set, header, set.empty() ? folder : InFolder(folder, set),
            statistics_only);
  }
}

}  // namespace onnx_expose

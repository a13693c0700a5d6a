#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "onnx_expose/compare_models.h"
#include "onnx_expose/loader.h"
#include "onnx_expose/submodel.h"
#include "onnx_expose/writer.h"
#include "pipeline/compared_model.h"
#include "pipeline/feed_types.h"
#include "support/text.h"
#include "tensor/new_file.h"
#include "tensor/pb.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;

int FindNode(const GraphIndex& index, const std::string& name) {
  std::vector<std::string> names;
  for (size_t i = 0; i < index.nodes().size(); ++i) {
    const NodeRef& node = index.nodes()[i];
    if (node.scope != 0) continue;
    if (node.node->name() == name && !name.empty()) return static_cast<int>(i);
    names.push_back(node.node->name());
  }
  const int value = index.FindIn(0, name);
  if (value >= 0 && index.values()[static_cast<size_t>(value)].node >= 0) {
    return index.values()[static_cast<size_t>(value)].node;
  }
  const std::string nearest = Nearest(name, names);
  throw Error(
      ExitCode::kRefused, "",
      {fmt::format("--extract {}: there is no such node in the main "
                   "graph and no value that one computes",
                   Quoted(name)),
       "", nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest)});
}

// The node and those that many steps before it, as positions in the list.
std::vector<int> Neighbourhood(const GraphIndex& index, int node, int steps) {
  std::set<int> all = {node};
  std::vector<int> last = {node};
  for (int step = 0; step < steps; ++step) {
    std::vector<int> before;
    for (const int each : last) {
      for (const int input : index.Reads(each)) {
        const Value& value = index.values()[static_cast<size_t>(input)];
        if (value.scope != 0 || value.node < 0) continue;
        if (all.insert(value.node).second) before.push_back(value.node);
      }
    }
    last = std::move(before);
  }
  std::vector<int> positions;
  for (const int each : all) {
    positions.push_back(index.nodes()[static_cast<size_t>(each)].index);
  }
  std::sort(positions.begin(), positions.end());
  return positions;
}

void MakeEmptyFolder(const std::string& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) {
    throw Error(ExitCode::kOutput, folder,
                {"can't be made: " + problem.message(), "", ""});
  }
  if (!fs::is_empty(folder, problem)) {
    throw Error(ExitCode::kOutput, folder,
                {"is there and holds something", "", "choose a new folder"});
  }
  fs::create_directory(fs::path(folder) / "test_data_set_0", problem);
}

class Recorded {
 public:
  Recorded(const CompareModelsRequest& request,
           const std::vector<std::string>& values)
      : folder_(request.folder) {
    RunRequest run = request.run;
    run.select = {};
    run.select.exact_values = values;
    run.select.allow_empty = true;
    run.select.include_constants = true;
    run.dump.force = true;
    run.verify = false;
    for (const auto& [model, side] :
         {std::pair(request.model_a, "/a"), std::pair(request.model_b, "/b")}) {
      run.model = model;
      run.output = folder_ + side;
      RunModel(run);
    }
    a_ = OpenValues(folder_ + "/a");
    b_ = OpenValues(folder_ + "/b");
  }

  // B's value if it is of the type and shape of A's, else A's.
  Data Read(const std::string& name) const {
    std::optional<Data> mine = From(*a_, "/a", name);
    std::optional<Data> reference = From(*b_, "/b", name);
    if (!mine) {
      throw Error(
          ExitCode::kRefused, "",
          {fmt::format("the run of the first model gave no {}", Quoted(name)),
           "", ""});
    }
    const bool same = reference && reference->kind == mine->kind &&
                      reference->tensor.type == mine->tensor.type &&
                      reference->tensor.shape == mine->tensor.shape;
    return same ? std::move(*reference) : std::move(*mine);
  }

 private:
  std::optional<Data> From(const ValueSource& source, const std::string& side,
                           const std::string& name) const {
    for (size_t i = 0; i < source.entries().size(); ++i) {
      if (source.entries()[i].name == name) return source.Read(i);
    }
    return ReadDumpedInput(folder_ + side, *source.manifests().front(), name);
  }

  std::string folder_;
  std::unique_ptr<ValueSource> a_;
  std::unique_ptr<ValueSource> b_;
};

void WriteTestData(const std::string& folder, const std::string& kind,
                   const std::vector<std::pair<std::string, Data>>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    NewFile file(fmt::format("{}/test_data_set_0/{}_{}.pb", folder, kind, i));
    WritePb(values[i].second, values[i].first, file);
    file.Close();
  }
}

}  // namespace

void ExtractRepro(const ExtractRequest& request) {
  const Skeleton model = LoadModel(request.models.model_a);
  const GraphIndex index(model.proto);
  const int node = FindNode(index, request.node);
  MakeEmptyFolder(request.output);
  SubmodelOptions part;
  part.nodes = Neighbourhood(index, node, request.neighbours);
  const std::vector<std::string> reads = InputsOf(index, part.nodes);
  std::vector<std::string> writes;
  for (const int value : index.Writes(node)) {
    writes.emplace_back(index.values()[static_cast<size_t>(value)].name);
  }
  std::vector<std::string> computed = writes;
  for (const std::string& name : reads) {
    const int value = index.FindIn(0, name);
    if (value >= 0 && index.values()[static_cast<size_t>(value)].node >= 0) {
      computed.push_back(name);
    }
  }
  const Recorded recorded(request.models, computed);
  std::vector<std::pair<std::string, Data>> inputs;
  std::vector<std::pair<std::string, Data>> outputs;
  for (const std::string& name : reads) {
    inputs.emplace_back(name, recorded.Read(name));
    part.inputs.emplace_back(name, TypeOf(inputs.back().second, {}));
  }
  for (const std::string& name : writes) {
    outputs.emplace_back(name, recorded.Read(name));
  }
  part.outputs = writes;
  Skeleton small = ExtractSubmodel(model, index, part);
  // A file of its own says what comes out.
  for (int i = 0; i < small.proto.graph().output_size(); ++i) {
    auto& output = *small.proto.mutable_graph()->mutable_output(i);
    for (const auto& [name, data] : outputs) {
      if (name == output.name()) *output.mutable_type() = TypeOf(data, {});
    }
  }
  WriteModel(small, request.output + "/model.onnx",
             {.force = false, .copy_data = true});
  WriteTestData(request.output, "input", inputs);
  WriteTestData(request.output, "output", outputs);
}

}  // namespace onnx_expose

#ifndef ONNX_EXPOSE_DUMP_H_
#define ONNX_EXPOSE_DUMP_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/error.h"
#include "onnx_expose/statistics.h"
#include "onnx_expose/tensor.h"

namespace onnx_expose {

enum class DumpFormat { kNpy, kNpz, kPb };

// A value of a dump: where it is in the model, what it was, where it lies.
struct DumpedValue {
  int index = 0;  // order in the dump
  std::string name;
  std::string op_type;
  std::string domain;
  std::string node;   // name; may be empty
  std::string scope;  // "" = main graph
  bool original_output = false;
  // Names of the nearest values in the dump, and of the graph inputs, that it
  // was computed from; nothing: not known.
  std::optional<std::vector<std::string>> inputs;
  std::string type;            // as it was: "float[1,64,56,56]", "seq(float)"
  std::vector<int64_t> shape;  // of a tensor
  // Relative to the dump's folder. Empty: nothing is stored (--stats-only, an
  // optional that is none).
  std::string file;
  std::string member;  // of `file`, if that is an npz with several values
  Statistics stats;
};

// What a dump is of. Empty strings where something isn't known.
struct DumpHeader {
  struct Model {
    std::string path;
    std::string sha256;
  };
  struct Runtime {
    std::string version;
    std::string provider;
    std::string opt_level;
    int threads = 0;
  };
  struct Input {
    std::string name;
    std::string source;  // "x.npy", "uniform(0,1), seed 0"
    // The rest is filled in from the data.
    std::string type = "";  // with its dims
    std::vector<int64_t> shape = {};
    std::string file = "";    // as DumpedValue::file
    std::string sha256 = "";  // of a tensor's bytes
  };
  Model model;
  Runtime runtime;
  std::vector<Input> inputs;
  // Whether the model's own outputs were bit for bit those of the untouched
  // model; nothing if that wasn't tried.
  std::optional<bool> original_outputs_unchanged;
  std::vector<std::string> changed_outputs;
  std::vector<std::string> notes;
};

struct Manifest : DumpHeader {
  std::vector<DumpedValue> values;
};

struct DumpOptions {
  DumpFormat format = DumpFormat::kNpy;
  bool deflate = false;     // npz: compressed
  bool stats_only = false;  // no tensor files
  bool force = false;       // an earlier dump in the folder is removed first
  // Values that are kept, up to these bytes, while Add has gone on.
  uint64_t write_behind = uint64_t{64} << 20;
};

// Writes a dump, value by value:
//
//   DumpWriter dump("dump", {});
//   dump.Add(value, data);   // in any order of index
//   dump.Finish(header);     // stats.csv, and manifest.json last of all
//
// Without Finish the folder has no manifest.json and so is no dump: ReadDump
// refuses it. File names are injective, bounded in length and safe on every
// system: "0007_<readable part>_<8 hex>.npy".
//
// Files: npy as numpy writes it. bfloat16, float8 and so on as unsigned
// integers of their width; 4-bit and 2-bit types unpacked to one byte an
// element; strings as '<U', and as pb where '<U' would change them (a final
// NUL, bytes that aren't UTF-8). Sequences as npz with members "0", "1", ...;
// maps as npz with "keys" and "values"; sequences of maps as "0.keys",
// "0.values", .... kNpz: one file values.npz, whose member is the value's name
// where that can be one. kPb: TensorProto, SequenceProto, MapProto,
// OptionalProto as ONNX's own test data has them.
//
// Tensor bytes are written by threads of their own while the statistics, and
// what the caller does next, are computed. Throws Error(kOutput): the folder
// isn't empty and holds something else than a dump, or a dump without `force`;
// any failed write, of an earlier value too.
class DumpWriter {
 public:
  DumpWriter(std::string folder, const DumpOptions& options);
  ~DumpWriter();

  // Fills in what is known only from the data: type, shape, file, stats. Bytes
  // without an owner must stay until Finish. The result stays valid until then.
  const DumpedValue& Add(DumpedValue value, const Data& data);
  // Saves what the model was fed with, for DumpHeader::inputs.
  DumpHeader::Input AddInput(DumpHeader::Input input, const Data& data);
  // Total size of the tensor files so far.
  uint64_t bytes_written() const;
  Manifest Finish(const DumpHeader& header);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Throws Error(kInput): no dump, an incomplete one, or a damaged manifest; with
// a note that says which.
Manifest ReadDump(const std::string& folder);

// Reads what was saved of values. Element types that npy doesn't have come back
// as they were in the model. Several threads may read.
class DumpReader {
 public:
  explicit DumpReader(std::string folder);

  Data Read(const DumpedValue& value) const;
  // How many bytes of a file it is; no limit: it takes memory to read.
  uint64_t BytesOf(const DumpedValue& value) const;

 private:
  struct Archives;  // each .npz is opened once
  std::string folder_;
  std::shared_ptr<Archives> archives_;
};
Data ReadDumpedInput(const std::string& folder, const DumpHeader::Input& input);
// Nothing: the dump has no input of that name, or didn't store it.
std::optional<Data> ReadDumpedInput(const std::string& folder,
                                    const DumpHeader& header,
                                    const std::string& name);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_DUMP_H_

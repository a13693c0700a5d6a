#ifndef ONNX_EXPOSE_WRITER_H_
#define ONNX_EXPOSE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// Where the result's weights are.
enum class Weights {
  kCopy,       // as in the model: inside the file or in its data files
  kReference,  // in the model's own bytes, which the result points into
  kExternal,   // in one data file beside the result
  kInline      // inside the file, those from data files too
};

struct WriteOptions {
  bool force = false;      // replace an existing file
  bool copy_data = false;  // take external data files along to another folder
  Weights weights = Weights::kCopy;
};

// The data file that Weights::kExternal writes beside `path`.
std::string DataFileOf(const std::string& path);

// What became of the weights.
struct WriteReport {
  size_t moved = 0;  // tensors whose data is elsewhere than in the model
  uint64_t moved_bytes = 0;
  // kReference, kExternal: weights that are inside the file nevertheless.
  uint64_t inline_bytes = 0;
};

// Writes the model to `path` ("-": standard output): the skeleton serialised,
// payloads copied from the input file in their places. A regular file appears
// complete or not at all (temporary file in the same folder, renamed); devices
// and pipes are written straight.
//
// `options.weights` other than kCopy: kReference and kExternal move what is
// the tensor's bytes in memory, of 1 KiB and more (raw_data, and float_data
// and double_data in their packed form); numbers in varints, strings and lists
// in attributes stay. Their data files begin each tensor at a multiple of 4
// KiB. kInline reads the model's data files and makes raw_data of them. Memory
// doesn't grow with the weights. Two files appear both or not at all.
//
// Throws Error(kOutput): exists without `force`; is the model or one of its
// data files, however spelled or linked; another folder while there is
// external data and no `copy_data`; over 2 GiB although the input wasn't; a
// reference that runtimes would refuse (another folder, a link, '..' in the
// name); a data file that leaves the model's folder; any failed write.
// Error(kInput): the input or a data file changed, is too short or can't be
// read.
WriteReport WriteModel(const Skeleton& model, const std::string& path,
                       const WriteOptions& options);

// Everything WriteModel refuses before it writes a byte.
void CheckTarget(const Skeleton& model, const std::string& path,
                 const WriteOptions& options);

// A model for a runtime that takes one from memory.
struct ModelInMemory {
  std::string bytes;   // a ModelProto
  std::string folder;  // that its external data is in, absolute
};

// The model with its weights where they are: those inside its file are referred
// to by offset and length, as with Weights::kReference, so that the bytes are a
// few kB plus the graph. Models from standard input and text models hold their
// weights. Error(kRefused): more than 2 GiB.
ModelInMemory SerializeModel(const Skeleton& model);

// Copies the input file to `path` byte for byte, under the same rules, with
// the weights where they are.
void CopyModel(const Skeleton& model, const std::string& path,
               const WriteOptions& options);

// The data files that the model's tensors lie in, as locations (relative to
// the model's folder) in order of first use, each once.
std::vector<std::string> ExternalLocations(const Skeleton& model);

// Writes a make rule to `path`: `target` depends on the model file and its
// data files.
void WriteDepfile(const Skeleton& model, const std::string& target,
                  const std::string& path);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_WRITER_H_

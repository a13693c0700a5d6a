#ifndef ONNX_EXPOSE_WRITER_H_
#define ONNX_EXPOSE_WRITER_H_

#include <string>
#include <vector>

#include "onnx_expose/skeleton.h"

namespace onnx_expose {

struct WriteOptions {
  bool force = false;      // replace an existing file
  bool copy_data = false;  // take external data files along to another folder
};

// Writes the model to `path` ("-": standard output): the skeleton serialised,
// payloads copied from the input file in their places. A regular file appears
// complete or not at all (temporary file in the same folder, renamed); devices
// and pipes are written straight.
//
// Throws Error(kOutput): exists without `force`; is the model or one of its
// data files, however spelled or linked; another folder while there is
// external data and no `copy_data`; over 2 GiB although the input wasn't; any
// failed write. Error(kInput): the input file changed or can't be read.
void WriteModel(const Skeleton& model, const std::string& path,
                const WriteOptions& options);

// Everything WriteModel refuses before it writes a byte.
void CheckTarget(const Skeleton& model, const std::string& path,
                 const WriteOptions& options);

// Copies the input file to `path` byte for byte, under the same rules.
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

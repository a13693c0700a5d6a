#ifndef ONNX_EXPOSE_REPORT_RUNNING_DUMP_H_
#define ONNX_EXPOSE_REPORT_RUNNING_DUMP_H_

#include <map>
#include <string>

#include "onnx_expose/dump.h"

namespace onnx_expose {

// Whether a dump is being written into the folder, or was and didn't come to
// its end.
bool IsIncompleteDump(const std::string& folder);

// What can be told of such a dump: the tensor files that are complete, with
// their statistics (all but the members of values.npz, whose directory is
// written last). Each is looked at once; the manifest with names and
// operators comes when the run is done.
class RunningDump {
 public:
  explicit RunningDump(std::string folder) : folder_(std::move(folder)) {}
  Manifest Look();

 private:
  std::string folder_;
  std::map<std::string, DumpedValue> seen_;  // by file
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_RUNNING_DUMP_H_

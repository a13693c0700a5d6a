#ifndef ONNX_EXPOSE_WRITER_WEIGHTS_H_
#define ONNX_EXPOSE_WRITER_WEIGHTS_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "onnx_expose/skeleton.h"
#include "onnx_expose/writer.h"
#include "writer/data_files.h"

namespace onnx_expose {

// A new data file: spans one after the other, each at an aligned offset.
struct DataPlan {
  std::vector<FileSpan> spans;
  uint64_t size = 0;
};

// How a model is written when its weights don't stay where they are.
struct WeightsPlan {
  // What moved is external, or a marker whose number counts on behind the
  // payloads: an index in `inlined`.
  Skeleton model;
  std::vector<FileSpan> inlined;  // what Splice() makes raw_data of
  DataPlan data;
  std::deque<DataFile> files;  // that the spans of `inlined` lie in
  WriteReport report;
};

// The plan for a result at `path`; nothing is read but the sizes of data files.
// Throws Error as WriteModel does for data files.
WeightsPlan PlanWeights(const Skeleton& model, const std::string& path,
                        Weights weights);

// Where a span that follows `end` bytes begins in the new data file.
uint64_t AlignedOffset(uint64_t end);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_WRITER_WEIGHTS_H_

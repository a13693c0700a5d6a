#include "onnx_expose/writer.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <climits>
#include <string>
#include <vector>

#include "onnx_expose/error.h"
#include "support/text.h"
#include "writer/data_files.h"
#include "writer/piece_writer.h"
#include "writer/splice.h"
#include "writer/target.h"
#include "writer/weights.h"

namespace onnx_expose {
namespace {

void RefuseTooLarge(const Skeleton& model, const std::string& path,
                    uint64_t size, Weights weights) {
  const bool was_so =
      model.source->size() > INT_MAX && weights != Weights::kInline;
  if (size <= INT_MAX || was_so) return;
  throw Error(ExitCode::kOutput, path,
              {fmt::format("the result is {}, and protobuf reads no file over "
                           "2 GiB",
                           ByteText(size)),
               "",
               weights == Weights::kInline
                   ? "leave the weights where they are, without --weights"
                   : "keep the weights in a file of their own with "
                     "--weights external"});
}

bool WritePieces(const InputFile& source, const SplicedModel& model, int fd) {
  PieceWriter writer(source, fd);
  for (const auto& piece : model.pieces) {
    if (!writer.Bytes(piece.bytes) || !writer.Span(piece.span)) return false;
  }
  return writer.Finish();
}

bool WriteData(const InputFile& source, const DataPlan& data, int fd) {
  PieceWriter writer(source, fd);
  uint64_t end = 0;
  for (const FileSpan& span : data.spans) {
    const std::string gap(AlignedOffset(end) - end, '\0');
    if (!writer.Bytes(gap) || !writer.Span(span)) return false;
    end += gap.size() + span.size;
  }
  return writer.Finish();
}

// `result` and, if there is any, `data` beside it: that goes to its place while
// the result is complete but not yet in its own.
void WriteFiles(const Skeleton& model, const SplicedModel& result,
                const DataPlan& data, const std::string& path,
                const WriteOptions& options) {
  RefuseTooLarge(model, path, result.size, options.weights);
  CreatedFiles created;
  CopyDataFiles(model, path, options, created);
  const std::string data_path = DataFileOf(path);
  WriteTarget(path, options.force, result.size, [&](int fd) {
    if (!WritePieces(*model.source, result, fd)) return false;
    if (data.spans.empty()) return true;
    struct stat info {};
    const bool is_new = ::lstat(data_path.c_str(), &info) != 0;
    WriteTarget(data_path, options.force, data.size, [&](int data_fd) {
      return WriteData(*model.source, data, data_fd);
    });
    if (is_new) created.Add(data_path);
    return true;
  });
  created.Keep();
}

}  // namespace

std::string DataFileOf(const std::string& path) { return path + ".data"; }

WriteReport WriteModel(const Skeleton& model, const std::string& path,
                       const WriteOptions& options) {
  CheckTarget(model, path, options);
  if (options.weights == Weights::kCopy) {
    WriteFiles(model, Splice(model), {}, path, options);
    return {};
  }
  const WeightsPlan plan = PlanWeights(model, path, options.weights);
  WriteFiles(model, Splice(plan.model, plan.inlined), plan.data, path, options);
  return plan.report;
}

void CopyModel(const Skeleton& model, const std::string& path,
               const WriteOptions& options) {
  WriteOptions plain = options;
  plain.weights = Weights::kCopy;
  CheckTarget(model, path, plain);
  CreatedFiles created;
  CopyDataFiles(model, path, plain, created);
  const uint64_t size = model.source->size();
  WriteTarget(path, options.force, size, [&](int fd) {
    PieceWriter writer(*model.source, fd);
    return writer.Span({nullptr, 0, size}) && writer.Finish();
  });
  created.Keep();
}

}  // namespace onnx_expose

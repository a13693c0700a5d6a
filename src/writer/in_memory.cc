#include <fmt/format.h>
#include <sys/stat.h>

#include <climits>
#include <filesystem>
#include <string>

#include "model/tensors.h"
#include "onnx_expose/error.h"
#include "onnx_expose/writer.h"
#include "support/file.h"
#include "support/text.h"
#include "writer/splice.h"
#include "writer/weights.h"

namespace onnx_expose {
namespace {

void RefuseTooLarge(const Skeleton& model, uint64_t size) {
  if (size <= INT_MAX) return;
  throw Error(
      ExitCode::kRefused, model.source->path(),
      {fmt::format("{} of it would have to be in memory, and protobuf reads "
                   "no more than 2 GiB",
                   ByteText(size)),
       model.source->is_stdin() ? "the weights of a model from standard input "
                                  "have no file to refer to"
                                : "",
       "write it with 'onnx-expose expose --weights external' first"});
}

// Whether the model's bytes can be found again by a name.
bool HasFile(const Skeleton& model) {
  struct stat info {};
  return !model.from_text && !model.source->is_stdin() &&
         ::stat(model.source->path().c_str(), &info) == 0 &&
         model.source->IsSameFile(info.st_dev, info.st_ino);
}

}  // namespace

ModelInMemory SerializeModel(const Skeleton& model) {
  const bool refers = HasFile(model);
  ModelInMemory result;
  result.folder = std::filesystem::absolute(
      refers ? FolderOf(RealPath(model.source->path())) : DataFolder(model));
  const WeightsPlan plan =
      PlanWeights(model, "", refers ? Weights::kReference : Weights::kCopy);
  const SplicedModel spliced = Splice(plan.model);
  RefuseTooLarge(model, spliced.size);
  result.bytes.reserve(spliced.size);
  for (const SplicedModel::Piece& piece : spliced.pieces) {
    result.bytes += piece.bytes;
    const size_t end = result.bytes.size();
    result.bytes.resize(end + piece.span.size);
    if (!ReadAt(model.source->fd(), piece.span.offset,
                result.bytes.data() + end, piece.span.size)) {
      throw Error(ExitCode::kInput, model.source->path(),
                  {"can't read: " + ErrnoText(), "", ""});
    }
  }
  if (model.source->HasChanged()) {
    throw Error(ExitCode::kInput, model.source->path(),
                {"the file changed while it was read", "", "try again"});
  }
  return result;
}

}  // namespace onnx_expose

#ifndef ONNX_EXPOSE_WRITER_PIECE_WRITER_H_
#define ONNX_EXPOSE_WRITER_PIECE_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "onnx_expose/skeleton.h"
#include "writer/data_files.h"

namespace onnx_expose {

// Writes bytes and copies spans, one after the other, to an open file. The
// functions return false on errors of the file written (errno) and throw
// Error(kInput) when a file read is no longer what it was.
class PieceWriter {
 public:
  PieceWriter(const InputFile& model, int fd) : model_(model), fd_(fd) {}

  bool Bytes(std::string_view bytes);
  bool Span(const FileSpan& span);
  // What is still in memory. Call it last.
  bool Finish();

 private:
  // One data file at a time is open: a model may have thousands.
  const InputFile& Open(const DataFile* file);
  bool Flush();

  const InputFile& model_;
  int fd_;
  std::string buffer_;
  const DataFile* open_ = nullptr;
  std::unique_ptr<InputFile> data_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_WRITER_PIECE_WRITER_H_

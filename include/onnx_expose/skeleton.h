#ifndef ONNX_EXPOSE_SKELETON_H_
#define ONNX_EXPOSE_SKELETON_H_

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace onnx_expose {

// An open model file. Closed when the last owner lets go of it.
class InputFile {
 public:
  // Takes over `fd`, a regular file open for reading. `path` is what the user
  // wrote ("-" for standard input).
  InputFile(int fd, std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  int fd() const { return fd_; }
  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }
  bool is_stdin() const { return path_ == "-"; }

  // Whether these numbers of a stat() are this very file's.
  bool IsSameFile(uint64_t device, uint64_t inode) const {
    return device == device_ && inode == inode_;
  }
  // Whether size or time of change differ from when it was opened.
  bool HasChanged() const;

 private:
  int fd_;
  std::string path_;
  uint64_t size_ = 0;
  uint64_t device_ = 0;
  uint64_t inode_ = 0;
  int64_t changed_ns_ = 0;
};

// Bytes of the model file that were left out of the skeleton: one or more
// whole protobuf records (tag, length, content) of one field, lying together.
struct Payload {
  int field;                // field number in TensorProto or AttributeProto
  uint64_t offset;          // of the first record's tag in the file
  uint64_t size;            // in bytes, tags and lengths included
  uint64_t content_offset;  // of the content, if it is a single record of
  uint64_t content_size;    // wire type 2; both 0 otherwise
};

// In the skeleton's messages a varint field with this number stands for a
// payload; its value is the index in Skeleton::payloads. Protobuf reserves
// 19000 to 19999 for itself, so no schema can use it, and the loader refuses
// a file that does.
inline constexpr int kPayloadField = 19999;

// A model without its weights: an ordinary ModelProto of a few hundred kB in
// which tensor data above a threshold is replaced by markers, and where that
// data lies in the file (design 2.1). Everything else is there, unknown fields
// included. Tensors small enough to matter to shape inference are whole.
//
//   Skeleton model = LoadModel("model.onnx", {});
//   model.proto.graph().node_size();
class Skeleton {
 public:
  Skeleton();
  Skeleton(Skeleton&&) = default;

  // Of the same file, to be changed apart.
  Skeleton Clone() const;

 private:
  // A model is hundreds of thousands of small messages; one arena makes and
  // frees them several times faster than the heap.
  std::unique_ptr<google::protobuf::Arena> arena_;

 public:
  onnx::ModelProto& proto;
  std::vector<Payload> payloads;
  std::shared_ptr<const InputFile> source;
  // The model was text: there is no binary file to be identical to.
  bool from_text = false;
};

// For an arena that a whole model goes into: blocks that grow to 1 MiB.
google::protobuf::ArenaOptions ModelArena();

// The payloads that stand in for data of this message (a TensorProto or an
// AttributeProto of the skeleton), in order.
std::vector<const Payload*> PayloadsOf(const Skeleton& model,
                                       const google::protobuf::Message& part);

// Bytes a tensor's elements take in memory by its dims and element type;
// nothing if the type has no fixed width or the product overflows.
std::optional<uint64_t> TensorBytes(const onnx::TensorProto& tensor);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SKELETON_H_

#ifndef ONNX_EXPOSE_RUNTIME_FEED_FILES_H_
#define ONNX_EXPOSE_RUNTIME_FEED_FILES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/feeds.h"

namespace onnx_expose {

// Where a value lies.
struct FeedFile {
  std::string path;
  std::string member;  // of an .npz

  // "x.npy", "x.npz:a"
  std::string Text() const;
};

// FILE or FILE.npz:MEMBER.
FeedFile ParseFeedFile(const std::string& text);

// What a file is, by its name.
enum class FeedFileKind { kNpy, kNpz, kPb, kPicture, kRaw };
FeedFileKind KindOfFeedFile(const std::string& path);

// Whether a value of this kind says its shape itself.
bool HasShape(FeedFileKind kind);

// Reads the value of an input. `known` are its dims, -1 where one is free: a
// file that has no shape gets it from there. Not checked against the input.
// Throws Error(kInput).
Data ReadFeedFile(const InputInfo& input, const FeedFile& file,
                  const std::optional<std::vector<int64_t>>& known,
                  const FeedOptions& options);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_FEED_FILES_H_

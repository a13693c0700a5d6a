#ifndef ONNX_EXPOSE_SUPPORT_FILE_H_
#define ONNX_EXPOSE_SUPPORT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace onnx_expose {

// Reads exactly `size` bytes at `offset` with pread. False at the end of the
// file (errno 0) and on errors (errno set).
bool ReadAt(int fd, uint64_t offset, void* into, size_t size);

// Writes everything, whatever it takes. False on errors (errno set).
bool WriteAll(int fd, std::string_view bytes);

// Copies `size` bytes from `offset` of a regular file to the place where `to`
// is: inside the kernel where that works, by reading and writing elsewhere.
// False on errors (errno set; 0 when the source is shorter).
bool CopyRange(int from, uint64_t offset, uint64_t size, int to);

// "No space left on device" for the current errno.
std::string ErrnoText();

// The folder part of a path: "a/b" -> "a", "b" -> ".", "/b" -> "/".
std::string FolderOf(const std::string& path);

// Whether two paths lead to one folder (or file) that is there.
bool SameFolder(const std::string& a, const std::string& b);

// Whether the path itself is a symbolic link.
bool IsLink(const std::string& path);

// The path with every link followed; the path itself if that fails.
std::string RealPath(const std::string& path);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SUPPORT_FILE_H_

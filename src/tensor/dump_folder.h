#ifndef ONNX_EXPOSE_TENSOR_DUMP_FOLDER_H_
#define ONNX_EXPOSE_TENSOR_DUMP_FOLDER_H_

#include <string>
#include <vector>

#include "onnx_expose/dump.h"

namespace onnx_expose {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kStatisticsFile = "stats.csv";
// In the folder as long as a dump is being written.
inline constexpr const char* kIncompleteFile = ".onnx-expose-incomplete";

// Makes the folder ready for a new dump and marks it incomplete. An earlier
// dump in it is removed if `force` says so: its own files and nothing else.
// Throws Error(kOutput): the folder holds something else, or a dump without
// `force`.
void OpenDumpFolder(const std::string& folder, bool force);

// Puts manifest.json there, complete or not at all, and takes the mark away.
void CompleteDumpFolder(const std::string& folder, const std::string& manifest,
                        bool sync);

// The dumps that a folder stands for: itself, or those of several data sets
// right inside of it, in natural order (2 before 10). Empty: there is none.
std::vector<std::string> DumpFolders(const std::string& folder);

// The path of something in the folder.
std::string InFolder(const std::string& folder, const std::string& name);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_DUMP_FOLDER_H_

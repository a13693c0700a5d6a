#ifndef ONNX_EXPOSE_RUNTIME_FEED_SETS_H_
#define ONNX_EXPOSE_RUNTIME_FEED_SETS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/feeds.h"
#include "runtime/feed_files.h"

namespace onnx_expose {

// The sets that one --inputs means, in natural order: a file, a folder, all
// test_data_set_N in a folder, or what a pattern fits. Throws Error(kInput) if
// that is nothing.
std::vector<std::string> ExpandSet(const std::string& what);

// A name for each path: its last part without ".npz" and the like, made unique.
std::vector<std::string> SetNames(const std::vector<std::string>& paths);

struct SetItem {
  FeedFile file;
  std::optional<Data> data;  // if it had to be read to know whose it is
};

// What a set holds, by the name of the input. Of a test_data_set folder
// input_N.pb is for the input whose name it has, or else for the N-th of those
// without a default; of other folders NAME.npy, NAME.pb and so on; of an .npz
// its members. Any other file is for the only input. Warns of what belongs to
// no input. Throws Error(kInput), also if nothing belongs to any.
std::map<std::string, SetItem> ListSet(const std::vector<InputInfo>& inputs,
                                       const std::string& path,
                                       Warnings& warnings);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_FEED_SETS_H_

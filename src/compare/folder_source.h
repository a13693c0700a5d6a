#ifndef ONNX_EXPOSE_COMPARE_FOLDER_SOURCE_H_
#define ONNX_EXPOSE_COMPARE_FOLDER_SOURCE_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "onnx_expose/compare.h"
#include "onnx_expose/tensor_files.h"

namespace onnx_expose {

// Tensor files of any tool: one file, or the members of one, each a value.
class FileSource : public ValueSource {
 public:
  explicit FileSource(std::string path) : path_(std::move(path)) {}

  // `name`: of the value; of an .npz its members' names count instead.
  void Add(const std::string& file, const std::string& name);

  const std::string& path() const override { return path_; }
  const std::vector<Entry>& entries() const override { return entries_; }
  Data Read(size_t entry) const override;
  uint64_t BytesOf(size_t entry) const override;

 private:
  struct Place {
    std::string file;
    std::string member;
    std::shared_ptr<const NpzFile> npz;  // which the member is of
  };
  void AddEntry(const std::string& name, Place place);

  std::string path_;
  std::vector<Entry> entries_;
  std::vector<Place> places_;
  std::set<std::string> names_;
};

// The outputs of a test_data_set_N folder by their names inside, or by
// "output_N" if they have none.
std::unique_ptr<FileSource> OpenTestData(const std::string& folder);

// All tensor files in a folder and the folders in it.
std::unique_ptr<FileSource> OpenFolder(const std::string& folder);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_FOLDER_SOURCE_H_

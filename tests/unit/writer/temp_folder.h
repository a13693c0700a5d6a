#ifndef ONNX_EXPOSE_TESTS_UNIT_WRITER_TEMP_FOLDER_H_
#define ONNX_EXPOSE_TESTS_UNIT_WRITER_TEMP_FOLDER_H_

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace onnx_expose::testing {

// A folder of its own for a test, gone afterwards.
class TempFolder {
 public:
  TempFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "onnx-expose-test-XXXXXX")
            .native();
    path_ = ::mkdtemp(name.data());
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string operator/(const std::string& name) const {
    return path_ + "/" + name;
  }

  // Returns the path.
  std::string Write(const std::string& name, const std::string& bytes) const {
    const std::string path = *this / name;
    std::filesystem::create_directories(
        std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::string Read(const std::string& name) const {
    std::ifstream file(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Names of everything right below.
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.insert(entry.path().filename().native());
    }
    return names;
  }

 private:
  std::string path_;
};

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_UNIT_WRITER_TEMP_FOLDER_H_

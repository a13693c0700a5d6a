#ifndef ONNX_EXPOSE_TESTS_SUPPORT_MODEL_FILES_H_
#define ONNX_EXPOSE_TESTS_SUPPORT_MODEL_FILES_H_

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>
#include <string_view>

#include "onnx_expose/pipeline.h"
#include "onnx_expose/skeleton.h"

namespace onnx_expose::testing {

// A folder of its own in memory (or where temporary files go), removed with
// all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  // The path of a file in it.
  std::string operator/(std::string_view name) const;

 private:
  std::string path_;
};

void WriteFile(const std::string& path, std::string_view bytes);
std::string ReadFile(const std::string& path);

// As protobuf libraries write it: in field order.
std::string Bytes(const onnx::ModelProto& model);
onnx::ModelProto Parsed(const std::string& bytes);
// A model in ONNX text syntax.
onnx::ModelProto FromText(const std::string& text);

// A file of these bytes that lies in no folder.
std::shared_ptr<const InputFile> MemoryFile(std::string_view bytes);
// The skeleton of a model of these bytes.
Skeleton Load(std::string_view bytes);
// What WriteModel would write.
std::string Written(const Skeleton& model);

// The pipeline from bytes to bytes. `request` needs no file names; the report
// goes to `report` if that isn't null.
std::string Expose(const std::string& bytes, ExposeRequest request,
                   ExposeReport* report = nullptr);
std::string Strip(const std::string& bytes);

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_SUPPORT_MODEL_FILES_H_

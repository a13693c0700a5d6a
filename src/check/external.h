#ifndef ONNX_EXPOSE_CHECK_EXTERNAL_H_
#define ONNX_EXPOSE_CHECK_EXTERNAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "check/findings.h"
#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// Data of tensors outside of the model file: files are looked at with stat and
// never opened. They lie beside the path the model was given by, also when
// that is a link (measured: ONNX Runtime 1.32 and the checker look there).
class ExternalData {
 public:
  explicit ExternalData(const Skeleton& model);

  // Of an external tensor with a valid type and dims.
  std::optional<Problem> Check(const onnx::TensorProto& tensor);

 private:
  struct File {
    std::optional<Problem> problem;
    uint64_t size = 0;
  };

  const File& Look(const std::string& location);
  File Examine(const std::string& location) const;
  // Whether ONNX Runtime takes the file although it, or a folder on the way,
  // is a link: it must end in the model's folder, or in that of the file the
  // model's own link points to.
  bool StaysInside(const std::string& path) const;

  const Skeleton& model_;
  std::string folder_;
  std::string real_folder_;
  std::string target_folder_;  // real folder of what the model links to
  std::unordered_map<std::string, File> files_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_EXTERNAL_H_

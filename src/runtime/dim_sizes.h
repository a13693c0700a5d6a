#ifndef ONNX_EXPOSE_RUNTIME_DIM_SIZES_H_
#define ONNX_EXPOSE_RUNTIME_DIM_SIZES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/feeds.h"

namespace onnx_expose {

// The sizes of free dims in one set of feeds: those that --dim and --shape give
// come first, then those of the feeds at hand.
class DimSizes {
 public:
  // Throws Error(kUsage): a dim or input that isn't there, a shape that doesn't
  // fit, two sizes for one symbol.
  DimSizes(const std::vector<InputInfo>& inputs, const FeedOptions& options);

  // What --shape says of an input.
  const std::vector<int64_t>* ShapeOf(const std::string& input) const;

  // The dims as far as they are known: fixed or given or with a symbol whose
  // size is; -1 elsewhere. Nothing if the rank isn't known.
  std::optional<std::vector<int64_t>> Known(const InputInfo& input) const;

  // Takes over the sizes of a feed. Throws Error(kInput) if they aren't those
  // that --dim and --shape ask for; other feeds may differ (models declare
  // wrong symbols, and ONNX Runtime doesn't mind), which is a warning.
  void Learn(const InputInfo& input, const std::string& source,
             const std::vector<int64_t>& shape, Warnings& warnings);

  // A shape for an input that nothing is given for: free dims are 1.
  std::vector<int64_t> Complete(const InputInfo& input);
  // A warning that names the dims that Complete took to be 1, if there are any.
  void WarnOfOnes(Warnings& warnings) const;

 private:
  struct Size {
    int64_t size;
    std::string input;  // which feed it is of; empty: an option said it
  };
  void Fix(const std::string& symbol, int64_t size);
  void CheckShape(const InputInfo& input,
                  const std::vector<int64_t>& shape) const;

  std::map<std::string, Size> sizes_;  // by symbol
  std::map<std::string, std::vector<int64_t>> shapes_;
  std::vector<std::string> ones_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_DIM_SIZES_H_

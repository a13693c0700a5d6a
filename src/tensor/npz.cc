#include "tensor/npz.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensor/npy.h"

namespace onnx_expose {

bool FitsNpz(const Data& data) {
  if (data.kind == Data::Kind::kTensor) return FitsNpy(data.tensor);
  return std::all_of(data.parts.begin(), data.parts.end(), FitsNpz);
}

void AddToNpz(const Data& data, const std::string& name, ZipWriter& zip) {
  if (data.kind == Data::Kind::kTensor) {
    zip.Add(name + ".npy",
            [&](ByteSink& sink) { WriteNpy(data.tensor, sink); });
    return;
  }
  const std::string prefix = name.empty() ? "" : name + ".";
  for (size_t i = 0; i < data.parts.size(); ++i) {
    const std::string part = data.kind == Data::Kind::kMap
                                 ? (i == 0 ? "keys" : "values")
                                 : fmt::format("{}", i);
    AddToNpz(data.parts[i], prefix + part, zip);
  }
}

}  // namespace onnx_expose

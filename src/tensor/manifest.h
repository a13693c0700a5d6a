#ifndef ONNX_EXPOSE_TENSOR_MANIFEST_H_
#define ONNX_EXPOSE_TENSOR_MANIFEST_H_

#include <string>
#include <string_view>

#include "onnx_expose/dump.h"

namespace onnx_expose {

inline constexpr int kManifestSchema = 1;

// Whether the value has a shape: a tensor, not a sequence or the like.
bool HasShape(const DumpedValue& value);

// Whether its statistics are about numbers, not strings.
bool HasNumbers(const DumpedValue& value);

// manifest.json of a dump. Always valid JSON: numbers that don't exist are
// null; a text that isn't UTF-8 has U+FFFD in place of the bad bytes and a
// second key, "name_base64" beside "name", with the bytes as they are.
std::string ManifestText(const Manifest& manifest);

// `path` is for messages. Throws Error(kInput) for anything that ManifestText
// doesn't write; keys that it doesn't know are passed over.
Manifest ParseManifest(std::string_view text, const std::string& path);

// stats.csv of a dump: a header and a line for each value, quoted as in RFC
// 4180; numbers that don't exist are empty.
std::string StatisticsCsv(const Manifest& manifest);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_MANIFEST_H_

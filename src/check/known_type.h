#ifndef ONNX_EXPOSE_CHECK_KNOWN_TYPE_H_
#define ONNX_EXPOSE_CHECK_KNOWN_TYPE_H_

#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_set>

namespace onnx_expose {

using SymbolSet = std::unordered_set<std::string_view>;

// Adds the symbols of a type.
void AddSymbols(const onnx::TypeProto& type, SymbolSet& symbols);

// Makes a type one that inference can work with: nothing at all when an
// element type is missing or unknown (the library throws at those), no symbols
// but those in `symbols`, no negative dims, and no rank above 64 (a long chain
// of nodes would multiply it). Whether something is left.
bool Tame(onnx::TypeProto& type, const SymbolSet& symbols);

// Fills in what `type` leaves open from a declared type that doesn't contradict
// it; symbols aside, which may be anything.
void FillIn(onnx::TypeProto& type, const onnx::TypeProto& declared);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_KNOWN_TYPE_H_

#ifndef ONNX_EXPOSE_VALUE_TYPES_H_
#define ONNX_EXPOSE_VALUE_TYPES_H_

#include <onnx/onnx_pb.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_expose/element_types.h"
#include "onnx_expose/error.h"
#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Text form of a type, for people and for --type:
//   float[1,N,?]  dims: number, symbol, ? = unknown
//   float[]       a scalar                float    rank unknown
//   seq(float[2]) optional(seq(int64))    map(string,float)
//   sparse(float[3,4])                    ?        nothing known
// ParseType throws Error(kUsage) that shows the place.
std::string TypeText(const onnx::TypeProto& type);
onnx::TypeProto ParseType(std::string_view text);

// Whether an element type (and for maps the key type) is there all the way
// down; with `ranks` also the rank of every tensor. Only a type with a known
// element type may be written into a model (onnx-facts 1.5, 1.6).
bool HasElementType(const onnx::TypeProto& type);
bool HasRank(const onnx::TypeProto& type);

// Where the type of a value comes from.
enum class TypeOrigin { kUnknown, kInferred, kDeclared, kFlag };

struct InferOptions {
  bool infer = true;  // false: types from value_info alone (--no-infer)
  // false: only what inference proves, no word of value_info or `given`.
  bool declared = true;
  // --type NAME=TYPE: types of main graph values that inference can't find.
  std::vector<std::pair<std::string, onnx::TypeProto>> given;
  // What a session of ONNX Runtime says about values that nothing else types.
  std::vector<std::pair<std::string, onnx::TypeProto>> probed;
};

// What is known of the type of each value of a GraphIndex.
struct ValueTypes {
  // By index in GraphIndex::values(); a default TypeProto: nothing known.
  std::vector<onnx::TypeProto> types;
  std::vector<TypeOrigin> origins;
  // Nodes (index in GraphIndex::nodes()) behind which inference had nothing
  // to go on: operators it doesn't know.
  std::vector<int> unknown_ops;
  // Whether declared or given types fed inference further down.
  bool seeded = false;
  // Values whose declared type contradicts what inference proves.
  std::vector<int> contradicted;
  // What kept inference from its work: calls over the limit, ...
  Warnings warnings;
};

// Element type and shape of every value (design 1.3 rule 3): from ONNX shape
// inference with data propagation, run on a copy without value_info and in
// topological order; where that knows nothing from the declared types
// (value_info, graph outputs), from `given` and from `probed`. What is found so
// feeds inference further down. Symbols that the graph inputs don't have, and
// negative, "*" or empty dims, become unknown dims.
//
// Throws Error(kUsage or kRefused): `given` names a value that isn't there or
// contradicts what inference proves.
ValueTypes InferTypes(const GraphIndex& index, const InferOptions& options);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_VALUE_TYPES_H_

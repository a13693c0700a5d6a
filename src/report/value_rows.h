#ifndef ONNX_EXPOSE_REPORT_VALUE_ROWS_H_
#define ONNX_EXPOSE_REPORT_VALUE_ROWS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace onnx_expose {

// What a list says about one value.
struct ValueRow {
  std::optional<int> index;  // of the node in its scope's list; inputs: none
  std::string op_type;       // "Input" for graph inputs
  std::string domain;
  std::string node;
  int output = 0;  // position in the node's output list
  std::string value;
  std::string type;               // "?" if nothing is known
  std::optional<uint64_t> bytes;  // of the tensor, if its shape is fixed
  bool is_output = false;
  bool constant = false;
  std::string scope;  // empty: the main graph
  // What a value of a body or function is called as a graph output; a
  // function's has a name for each call.
  std::vector<std::string> exposed_as;
};

// Aligned columns with a header, for people.
std::string ValueTable(const std::vector<ValueRow>& rows);

// One line a value, for programs: index, op, node, value, type, bytes, marks
// ("output", "constant" or both with a comma), scope, names as graph outputs
// (separated by spaces), all separated by tabs; what isn't there or isn't known
// is empty. No header.
std::string ValueRecords(const std::vector<ValueRow>& rows);

Json ValueJson(const ValueRow& row);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_VALUE_ROWS_H_

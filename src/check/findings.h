#ifndef ONNX_EXPOSE_CHECK_FINDINGS_H_
#define ONNX_EXPOSE_CHECK_FINDINGS_H_

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "onnx_expose/check.h"
#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Where a finding is. `scope` is an index in GraphIndex::scopes().
//
//   places.Node(12)              "node 'conv1' (Conv)"
//   places.In(3, "output 'y'")   "if_12/then_branch: output 'y'"
class Places {
 public:
  explicit Places(const GraphIndex& index) : index_(index) {}

  std::string Node(int node) const;
  // Without its scope, where that is said already.
  std::string LocalNode(int node) const;
  // The scope itself: "graph", or its path.
  std::string Scope(int scope) const;
  std::string In(int scope, std::string_view text) const;

 private:
  const GraphIndex& index_;
};

// What is wrong with something, and what ONNX Runtime makes of it.
struct Problem {
  std::string what;
  std::string note;
};

inline constexpr const char* kOrtTakesIt = "ONNX Runtime takes it";
inline constexpr const char* kOnlyOrtRefuses =
    "the ONNX checker passes it, ONNX Runtime refuses it";

// Findings in the order in which they are made, each once.
class Findings {
 public:
  void Error(std::string place, std::string what, std::string note = "");
  void Warning(std::string place, std::string what, std::string note = "");
  // A warning that fails the ONNX checker's full check all the same.
  void CheckerWarning(std::string place, std::string what,
                      std::string note = "");

  std::vector<Finding> Take() { return std::move(list_); }

 private:
  void Add(Finding finding);

  std::vector<Finding> list_;
  std::unordered_set<std::string> seen_;
};

// What an exception of the ONNX library says, as a message of ours: one line,
// lower case, without a final period and without its "==> Context".
std::string CleanMessage(std::string_view text);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_FINDINGS_H_

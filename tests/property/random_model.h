#ifndef ONNX_EXPOSE_TESTS_PROPERTY_RANDOM_MODEL_H_
#define ONNX_EXPOSE_TESTS_PROPERTY_RANDOM_MODEL_H_

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace onnx_expose::testing {

struct RandomModel {
  onnx::ModelProto proto;
  // Types of values of the main graph, as the operators define them; values
  // that nobody can tell are missing.
  std::map<std::string, onnx::TypeProto> truth;
  // The symbols of the graph inputs.
  std::set<std::string> symbols = {"N", "C", "seq len", "B"};
  // The node list is in topological order.
  bool sorted = true;
};

// The same for the same seed.
RandomModel MakeRandomModel(uint64_t seed);

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_PROPERTY_RANDOM_MODEL_H_

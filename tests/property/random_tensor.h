#ifndef ONNX_EXPOSE_TESTS_PROPERTY_RANDOM_TENSOR_H_
#define ONNX_EXPOSE_TESTS_PROPERTY_RANDOM_TENSOR_H_

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "tests/property/dice.h"

namespace onnx_expose::testing {

// Numbers in any of the ways a TensorProto can hold them.
void FillTensor(Dice& dice, int element_type, const std::vector<int64_t>& dims,
                onnx::TensorProto& tensor);

// Any element type and shape; mostly small, sometimes some 100 kB.
onnx::TensorProto RandomTensor(Dice& dice, const std::string& name);

// Rank 1 or 2, values and indices.
onnx::SparseTensorProto RandomSparseTensor(Dice& dice, const std::string& name);

// An attribute of an operator nobody knows: any kind but graphs, large lists
// among them.
void FillAttribute(Dice& dice, onnx::AttributeProto& attribute);

// Fields that no schema has, of all wire types.
void AddUnknownFields(Dice& dice, google::protobuf::Message& message);

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_PROPERTY_RANDOM_TENSOR_H_

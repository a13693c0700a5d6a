#include "tests/property/random_tensor.h"

#include <google/protobuf/unknown_field_set.h>

#include <array>

namespace onnx_expose::testing {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

int64_t Product(const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= dim;
  return product;
}

int ElementBytes(int type) {
  switch (type) {
    case TensorProto::DOUBLE:
    case TensorProto::INT64:
    case TensorProto::UINT64:
      return 8;
    case TensorProto::FLOAT:
    case TensorProto::INT32:
      return 4;
    case TensorProto::FLOAT16:
      return 2;
    default:
      return 1;
  }
}

std::string RandomBytes(Dice& dice, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(dice.Below(256));
  return bytes;
}

// The field for numbers of this type; integers so small that float readers
// don't stumble over them.
void FillField(Dice& dice, int type, int64_t count, TensorProto& tensor) {
  for (int64_t i = 0; i < count; ++i) {
    const int number = dice.Below(300);
    switch (type) {
      case TensorProto::FLOAT:
        tensor.add_float_data(static_cast<float>(number) / 7);
        break;
      case TensorProto::DOUBLE:
        tensor.add_double_data(number / 7.0);
        break;
      case TensorProto::INT64:
        tensor.add_int64_data(number - 150);
        break;
      case TensorProto::UINT64:
        tensor.add_uint64_data(static_cast<uint64_t>(number));
        break;
      case TensorProto::STRING:
        tensor.add_string_data("s" + std::to_string(number));
        break;
      case TensorProto::BOOL:
        tensor.add_int32_data(number & 1);
        break;
      default:
        tensor.add_int32_data(number & 127);
    }
  }
}

std::vector<int64_t> RandomDims(Dice& dice, int64_t most) {
  std::vector<int64_t> dims(static_cast<size_t>(dice.Below(4)));
  for (int64_t& dim : dims) dim = dice.Below(5);
  if (most > 0 && dice.Chance(50)) dims = {dice.Below(9) + 1, most / 9};
  return dims;
}

// One in so many payloads is large.
int64_t RandomSize(Dice& dice) {
  return dice.Chance(85) ? 0 : dice.Chance(70) ? 900 : 30000;
}

}  // namespace

void FillTensor(Dice& dice, int element_type, const std::vector<int64_t>& dims,
                TensorProto& tensor) {
  tensor.set_data_type(element_type);
  for (const int64_t dim : dims) tensor.add_dims(dim);
  const int64_t count = Product(dims);
  if (element_type != TensorProto::STRING && dice.Chance(50)) {
    const int64_t bytes = count * ElementBytes(element_type);
    tensor.set_raw_data(RandomBytes(dice, static_cast<size_t>(bytes)));
  } else {
    FillField(dice, element_type, count, tensor);
  }
}

TensorProto RandomTensor(Dice& dice, const std::string& name) {
  static constexpr std::array kTypes = {
      TensorProto::FLOAT,   TensorProto::FLOAT, TensorProto::DOUBLE,
      TensorProto::INT64,   TensorProto::INT32, TensorProto::UINT64,
      TensorProto::FLOAT16, TensorProto::BOOL,  TensorProto::STRING,
      TensorProto::INT8};
  TensorProto tensor;
  FillTensor(dice, dice.Pick(kTypes), RandomDims(dice, RandomSize(dice)),
             tensor);
  tensor.set_name(name);
  if (dice.Chance(10)) tensor.set_doc_string("weights\n\xF0\x9F\x98\x80");
  if (dice.Chance(5)) AddUnknownFields(dice, tensor);
  return tensor;
}

onnx::SparseTensorProto RandomSparseTensor(Dice& dice,
                                           const std::string& name) {
  onnx::SparseTensorProto sparse;
  const int64_t count = dice.Chance(80) ? 3 : 2000;
  FillTensor(dice, TensorProto::FLOAT, {count}, *sparse.mutable_values());
  sparse.mutable_values()->set_name(name);
  auto& indices = *sparse.mutable_indices();
  indices.set_data_type(TensorProto::INT64);
  indices.add_dims(count);
  for (int64_t i = 0; i < count; ++i) indices.add_int64_data(2 * i);
  sparse.add_dims(2 * count);
  return sparse;
}

void FillAttribute(Dice& dice, AttributeProto& attribute) {
  const int64_t size = dice.Chance(90) ? dice.Below(20) : 40000;
  switch (dice.Below(7)) {
    case 0:
      attribute.set_type(AttributeProto::FLOATS);
      for (int64_t i = 0; i < size; ++i) attribute.add_floats(0.5F);
      break;
    case 1:
      attribute.set_type(AttributeProto::INTS);
      for (int64_t i = 0; i < size; ++i) attribute.add_ints(i * i);
      break;
    case 2:
      attribute.set_type(AttributeProto::STRINGS);
      for (int64_t i = 0; i < size; ++i) attribute.add_strings("a tree node");
      break;
    case 3:
      attribute.set_type(AttributeProto::TENSOR);
      *attribute.mutable_t() = RandomTensor(dice, "");
      break;
    case 4:
      attribute.set_type(AttributeProto::TENSORS);
      *attribute.add_tensors() = RandomTensor(dice, "one");
      *attribute.add_tensors() = RandomTensor(dice, "two");
      break;
    case 5:
      attribute.set_type(AttributeProto::SPARSE_TENSOR);
      *attribute.mutable_sparse_tensor() = RandomSparseTensor(dice, "sparse");
      break;
    default:
      attribute.set_type(AttributeProto::STRING);
      attribute.set_s(RandomBytes(dice, 12));
  }
}

void AddUnknownFields(Dice& dice, google::protobuf::Message& message) {
  auto& fields = *message.GetReflection()->MutableUnknownFields(&message);
  fields.AddVarint(900, static_cast<uint64_t>(dice.Below(1 << 30)));
  if (dice.Chance(50)) fields.AddFixed32(901, 7);
  if (dice.Chance(50)) fields.AddFixed64(902, 8);
  if (dice.Chance(50)) fields.AddLengthDelimited(903, "from the future");
  if (dice.Chance(50)) fields.AddGroup(904)->AddVarint(1, 2);
}

}  // namespace onnx_expose::testing

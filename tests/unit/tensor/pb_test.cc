#include "tensor/pb.h"

#include <gtest/gtest.h>
#include <onnx/onnx-data.pb.h>

#include <functional>
#include <string>

#include "onnx_expose/element_types.h"
#include "onnx_expose/tensor_files.h"
#include "tensor/format_error.h"
#include "tensor/numbers.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using onnx::TensorProto;
using testing::DataOf;
using testing::FloatsOf;
using testing::MapOf;
using testing::MemorySink;
using testing::Same;
using testing::SequenceOf;
using testing::StringsOf;
using testing::TensorOf;

std::string Written(const Data& data) {
  MemorySink sink;
  WritePb(data, "the name", sink);
  return sink.content;
}

Data Parsed(const std::string& bytes, const std::string& kind = "") {
  return ParsePb(std::as_bytes(std::span(bytes)), kind, nullptr);
}

Data Parsed(const TensorProto& proto) {
  return Parsed(proto.SerializeAsString());
}

TEST(Pb, ReadsWhatItWrites) {
  const Data tensor = DataOf(FloatsOf({1, 2, 3}));
  const Data strings = DataOf(StringsOf({"a", std::string("x\0", 2), "\xff"}));
  const Data scalar = DataOf(TensorOf<int64_t>(ElementType("int64"), {}, {7}));
  const Data empty = DataOf(FloatsOf({}));
  const Data int4 =
      DataOf(TensorOf<uint8_t>(ElementType("int4"), {3}, {0x21, 0x03}));
  const Data map = MapOf(TensorOf<int64_t>(ElementType("int64"), {2}, {5, -6}),
                         FloatsOf({0.5, 1}));
  const Data names = MapOf(StringsOf({"a", "b"}), FloatsOf({0.5, 1}));
  for (const Data& data : {tensor, strings, scalar, empty, int4}) {
    EXPECT_TRUE(Same(Parsed(Written(data)), data));
  }
  EXPECT_TRUE(Same(Parsed(Written(map), "map(int64,float)"), map));
  EXPECT_TRUE(Same(Parsed(Written(names), "map(string,float)"), names));
  const Data sequence = SequenceOf({tensor, empty});
  EXPECT_TRUE(Same(Parsed(Written(sequence), "seq(float)"), sequence));
  EXPECT_TRUE(Same(Parsed(Written(sequence)), sequence));
  const Data maps = SequenceOf({map, map});
  EXPECT_TRUE(Same(Parsed(Written(maps), "seq(map(int64,float))"), maps));
  const Data none = Parsed("", "optional(float)");
  EXPECT_EQ(none.kind, Data::Kind::kNone);
  const Data nothing = Parsed("", "seq(int8)");
  EXPECT_EQ(nothing.kind, Data::Kind::kSequence);
  EXPECT_EQ(ElementName(nothing.element_type), "int8");
}

TEST(Pb, IsWhatProtobufWrites) {
  TensorProto proto;
  proto.add_dims(2);
  proto.set_data_type(TensorProto::FLOAT);
  proto.set_name("the name");
  proto.set_raw_data(std::string("\0\0\x80\x3f\0\0\0\x40", 8));
  EXPECT_EQ(Written(DataOf(FloatsOf({1, 2}))), proto.SerializeAsString());
}

TEST(Pb, GivesTheName) {
  const std::string bytes = Written(DataOf(FloatsOf({1})));
  std::string name;
  ParsePb(std::as_bytes(std::span(bytes)), "float", &name);
  EXPECT_EQ(name, "the name");
}

TEST(Pb, Optionals) {
  onnx::OptionalProto proto;
  proto.set_elem_type(onnx::OptionalProto::TENSOR);
  proto.mutable_tensor_value()->set_data_type(TensorProto::INT32);
  proto.mutable_tensor_value()->add_dims(1);
  proto.mutable_tensor_value()->add_int32_data(-1);
  const Data data = Parsed(proto.SerializeAsString(), "optional(int32)");
  EXPECT_TRUE(
      Same(data, DataOf(TensorOf<int32_t>(ElementType("int32"), {1}, {-1}))));
}

// Elements 1, 2, ... in the field that the standard has for the type.
TEST(Pb, TypedFields) {
  for (int type = 1; IsElementType(type); ++type) {
    if (type == TensorProto::STRING) continue;
    SCOPED_TRACE(ElementName(type));
    TensorProto proto;
    proto.set_data_type(type);
    proto.add_dims(3);
    const std::string name = ElementName(type);
    const int bits = ElementBits(type);
    std::vector<double> expected;
    for (int i = 1; i <= 3; ++i) {
      expected.push_back(bits <= 16 && name.starts_with("float") ? -1 : i);
      if (name == "float") {
        proto.add_float_data(static_cast<float>(i));
      } else if (name == "double") {
        proto.add_double_data(i);
      } else if (name == "complex64") {
        proto.add_float_data(static_cast<float>(i));
        proto.add_float_data(0);
      } else if (name == "complex128") {
        proto.add_double_data(0);
        proto.add_double_data(i);
      } else if (name == "int64") {
        proto.add_int64_data(i);
      } else if (name == "uint64" || name == "uint32") {
        proto.add_uint64_data(static_cast<uint64_t>(i));
      } else if (bits >= 6) {
        proto.add_int32_data(i);
      }
    }
    if (bits == 4) {
      proto.add_int32_data(0x21);
      proto.add_int32_data(0x03);
    } else if (bits == 2) {
      proto.add_int32_data(0x01 | 0x02 << 2 | 0x03 << 4);
    }
    const Data data = Parsed(proto);
    EXPECT_EQ(data.tensor.bytes.size(), DataBytes(type, 3));
    // Of floats of few bits the integers are codes.
    if (name.starts_with("float") && bits <= 16) continue;
    if (name == "bfloat16" || name == "bool" || name == "int2") continue;
    std::vector<double> numbers(3);
    ToDoubles(data.tensor, 0, 3, numbers.data());
    EXPECT_EQ(numbers, expected);
  }
}

std::string WhyNot(const std::function<void(TensorProto&)>& change) {
  TensorProto proto;
  proto.set_data_type(TensorProto::FLOAT);
  proto.add_dims(2);
  change(proto);
  try {
    Parsed(proto);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(Pb, SaysWhatIsWrong) {
  EXPECT_EQ(WhyNot([](TensorProto& proto) { proto.set_raw_data("1234"); }),
            "float[2] takes 8 bytes, 4 are there");
  EXPECT_EQ(WhyNot([](TensorProto& proto) { proto.add_float_data(1); }),
            "float[2] takes 2 numbers, 1 are there");
  EXPECT_EQ(WhyNot([](TensorProto& proto) {
              proto.set_data_location(TensorProto::EXTERNAL);
            }),
            "the tensor's data lie in another file");
  EXPECT_EQ(WhyNot([](TensorProto& proto) { proto.set_data_type(99); }),
            "a tensor has the unknown element type 99");
  EXPECT_EQ(WhyNot([](TensorProto& proto) { proto.set_dims(0, -2); }),
            "a dim is -2");
  EXPECT_NE(WhyNot([](TensorProto& proto) {
              proto.set_dims(0, int64_t{1} << 62);
              proto.add_dims(16);
            }),
            "");
  EXPECT_NE(WhyNot([](TensorProto& proto) {
              proto.set_data_type(TensorProto::COMPLEX64);
              proto.set_dims(0, (int64_t{1} << 62) + (int64_t{1} << 61));
            }),
            "");
  EXPECT_THROW(Parsed("not a proto"), FormatError);
}

TEST(Pb, AMapNeedsAsManyValuesAsKeys) {
  onnx::MapProto proto;
  proto.set_key_type(TensorProto::INT64);
  proto.add_keys(1);
  EXPECT_THROW(Parsed(proto.SerializeAsString(), "map(int64,float)"),
               FormatError);
}

TEST(Pb, RefusesWhatNobodyCouldRead) {
  Tensor tensor;
  tensor.type = TensorProto::UINT8;
  tensor.shape = {int64_t{1} << 31};
  // Its bytes aren't looked at.
  const std::byte one{};
  tensor.bytes = {&one, size_t{1} << 31};
  MemorySink sink;
  try {
    WritePb(DataOf(tensor), "x", sink);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kOutput);
    EXPECT_STREQ(error.what(), "'x' is too large for a .pb file: 2.1 GB");
  }
}

}  // namespace
}  // namespace onnx_expose

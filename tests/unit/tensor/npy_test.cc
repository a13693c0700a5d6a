#include "tensor/npy.h"

#include <gtest/gtest.h>

#include <string>

#include "onnx_expose/element_types.h"
#include "onnx_expose/tensor_files.h"
#include "tensor/format_error.h"
#include "tests/support/model_files.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using testing::BytesOf;
using testing::MemorySink;
using testing::Same;
using testing::StringsOf;
using testing::TemporaryFolder;
using testing::TensorOf;

std::string Npy(std::string dict, std::string_view data,
                std::string version = std::string("\x01\x00", 2)) {
  std::string text = "\x93NUMPY" + version;
  for (int i = 0; i < (version[0] == 1 ? 2 : 4); ++i) {
    text.push_back(static_cast<char>(dict.size() >> (8 * i)));
  }
  return text + dict + std::string(data);
}

std::string Dict(const std::string& descr, const std::string& shape,
                 const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran +
         ", 'shape': " + shape + ", }\n";
}

std::string WhyNot(const std::string& content) {
  try {
    ParseNpy(BytesOf(content));
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

std::string Written(const Tensor& tensor) {
  MemorySink sink;
  WriteNpy(tensor, sink);
  return sink.content;
}

TEST(Npy, IsWhatNumpyWrites) {
  const std::string written =
      Written(TensorOf<float>(ElementType("float"), {1, 2}, {1, 2}));
  std::string dict =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  dict.resize(128 - 10 - 1, ' ');
  EXPECT_EQ(written,
            Npy(dict + "\n", std::string("\0\0\x80\x3f\0\0\0\x40", 8)));
}

TEST(Npy, ReadsWhatItWrites) {
  const std::vector<Tensor> tensors = {
      TensorOf<float>(ElementType("float"), {2, 3}, {1, 2, 3, 4, 5, 6}),
      TensorOf<int64_t>(ElementType("int64"), {}, {-5}),
      TensorOf<double>(ElementType("double"), {3, 0, 2}, {}),
      TensorOf<uint8_t>(ElementType("bool"), {2}, {0, 1}),
      TensorOf<float>(ElementType("complex64"), {1}, {1, -1}),
      StringsOf(
          {"a", "", std::string("x\0y", 3), "h\xc3\xa9llo \xf0\x9f\x98\x80"}),
      StringsOf({}),
  };
  for (const Tensor& tensor : tensors) {
    ASSERT_TRUE(FitsNpy(tensor));
    EXPECT_TRUE(Same(ParseNpy(BytesOf(Written(tensor))), tensor));
  }
}

TEST(Npy, TypesWithoutACounterpartBecomeIntegers) {
  const auto type_of = [](const char* name, size_t bytes) {
    const std::vector<uint8_t> data(bytes, 0xff);
    const Tensor tensor = TensorOf(ElementType(name), {2}, data);
    const Tensor read = ParseNpy(BytesOf(Written(tensor)));
    EXPECT_EQ(read.shape, std::vector<int64_t>{2});
    return ElementName(read.type);
  };
  EXPECT_EQ(type_of("bfloat16", 4), "uint16");
  EXPECT_EQ(type_of("float8e5m2", 2), "uint8");
  EXPECT_EQ(type_of("int4", 1), "int8");
  EXPECT_EQ(type_of("uint2", 1), "uint8");
  EXPECT_EQ(type_of("float6e3m2", 2), "uint8");
}

TEST(Npy, StringsThatItWouldChangeDontFit) {
  EXPECT_FALSE(FitsNpy(StringsOf({std::string("x\0", 2)})));
  EXPECT_FALSE(FitsNpy(StringsOf({"\xff"})));
  std::vector<std::string> strings(100000, "a");
  EXPECT_TRUE(FitsNpy(StringsOf(strings)));
  strings[0].assign(10000, 'b');  // would take 4 GB
  EXPECT_FALSE(FitsNpy(StringsOf(strings)));
}

TEST(Npy, OtherOrders) {
  const Tensor expected =
      TensorOf<int16_t>(ElementType("int16"), {2, 3}, {1, 2, 3, 4, 5, 6});
  const std::string columns("\1\0\4\0\2\0\5\0\3\0\6\0", 12);
  EXPECT_TRUE(
      Same(ParseNpy(BytesOf(Npy(Dict("<i2", "(2, 3)", "True"), columns))),
           expected));
  const std::string big("\0\1\0\2\0\3\0\4\0\5\0\6", 12);
  EXPECT_TRUE(
      Same(ParseNpy(BytesOf(Npy(Dict(">i2", "(2, 3)"), big))), expected));
  const std::string both("\0\1\0\4\0\2\0\5\0\3\0\6", 12);
  EXPECT_TRUE(Same(ParseNpy(BytesOf(Npy(Dict(">i2", "(2, 3)", "True"), both))),
                   expected));
}

TEST(Npy, FortranOrderInThreeDims) {
  // Element (i, j, k) is 100 i + 10 j + k.
  std::vector<uint8_t> c;
  std::string fortran;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k)
        c.push_back(static_cast<uint8_t>(100 * i + 10 * j + k));
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        fortran.push_back(static_cast<char>(100 * i + 10 * j + k));
  EXPECT_TRUE(
      Same(ParseNpy(BytesOf(Npy(Dict("|u1", "(2, 3, 2)", "True"), fortran))),
           TensorOf(ElementType("uint8"), {2, 3, 2}, c)));
}

TEST(Npy, OtherVersionsAndSpellings) {
  const Tensor expected = TensorOf<uint8_t>(ElementType("uint8"), {2}, {7, 8});
  for (const char version : {'\2', '\3'}) {
    EXPECT_TRUE(Same(
        ParseNpy(BytesOf(Npy(Dict("|u1", "(2,)"), "\7\x08", {version, '\0'}))),
        expected));
  }
  EXPECT_TRUE(
      Same(ParseNpy(BytesOf(
               Npy("{\"shape\":(2L,),\"fortran_order\":True,\"descr\":\"u1\"}",
                   "\7\x08"))),
           expected));
}

TEST(Npy, BytesStrings) {
  EXPECT_TRUE(Same(
      ParseNpy(BytesOf(Npy(Dict("|S2", "(2,)"), std::string("ab\0\0", 4)))),
      StringsOf({"ab", ""})));
  EXPECT_TRUE(Same(
      ParseNpy(BytesOf(Npy(Dict(">U1", "(1,)"), std::string("\0\0\0\x41", 4)))),
      StringsOf({"A"})));
}

TEST(Npy, SaysWhatIsWrong) {
  EXPECT_EQ(WhyNot(""), "is no npy file");
  EXPECT_EQ(WhyNot("\x93NUMPY"), "the npy header is cut off");
  EXPECT_EQ(WhyNot(Npy(Dict("<f4", "(2,)"), "1234")),
            "is cut off: shape (2) of '<f4' needs more than the 4 bytes there");
  EXPECT_EQ(WhyNot(Npy(Dict("|O", "(2,)"), "1234")),
            "holds Python objects (a pickle), which only Python can read");
  EXPECT_EQ(WhyNot(Npy(Dict("<M8[ns]", "(2,)"), "1234")),
            "numpy's dtype '<M8[ns]' has no counterpart in ONNX");
  EXPECT_EQ(WhyNot(Npy("{'descr': [('a', '<f4')], 'fortran_order': False, "
                       "'shape': (2,), }",
                       "")),
            "holds records (a structured dtype), not numbers");
  EXPECT_EQ(WhyNot(Npy("{'descr': '<f4'}", "")),
            "the npy header lacks 'descr', 'fortran_order' or 'shape'");
  EXPECT_EQ(WhyNot(Npy(Dict("<U1", "(1,)"), std::string("\0\xd8\0\0", 4))),
            "U+D800 is no character");
}

TEST(Npy, DoesntTrustShapes) {
  const char* const shapes[] = {
      "(4611686018427387904, 8)", "(9223372036854775807,)",
      "(99999999999999999999,)", "(-1,)", "(1000000,)"};
  for (const char* shape : shapes) {
    EXPECT_NE(WhyNot(Npy(Dict("<f4", shape), "1234")), "") << shape;
  }
  EXPECT_NE(WhyNot(Npy(Dict("<U4611686018427387904", "(1,)"), "1234")), "");
  EXPECT_NE(WhyNot(Npy(Dict("|S0", "(4000000000,)"), "")), "");
  std::string dims = "(";
  for (int i = 0; i < 65; ++i) dims += "1,";
  EXPECT_NE(WhyNot(Npy(Dict("|u1", dims + ")"), "1")), "");
  EXPECT_EQ(WhyNot(Npy(Dict("<f4", "(4611686018427387904, 0, 8)"), "")), "");
}

TEST(Npy, ReadsFiles) {
  const TemporaryFolder folder;
  const Tensor tensor = TensorOf<float>(ElementType("float"), {2}, {1, 2});
  testing::WriteFile(folder / "a.npy", Written(tensor));
  EXPECT_TRUE(Same(ReadNpy(folder / "a.npy"), tensor));
  try {
    ReadNpy(folder / "b.npy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kInput);
    EXPECT_EQ(error.file(), folder / "b.npy");
  }
}

TEST(ReadRaw, NeedsExactlyTheBytes) {
  const TemporaryFolder folder;
  testing::WriteFile(folder / "a.bin", "12345678");
  EXPECT_EQ(ReadRaw(folder / "a.bin", ElementType("float"), {2}).bytes.size(),
            8U);
  EXPECT_THROW(ReadRaw(folder / "a.bin", ElementType("float"), {1}), Error);
  EXPECT_THROW(ReadRaw(folder / "a.bin", ElementType("float"), {3}), Error);
  EXPECT_THROW(ReadRaw(folder / "a.bin", ElementType("string"), {0}), Error);
}

}  // namespace
}  // namespace onnx_expose

#include "tensor/npz.h"

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
using testing::DataOf;
using testing::FloatsOf;
using testing::ReadFile;
using testing::Same;
using testing::TemporaryFolder;

std::string Zip(const std::vector<std::pair<std::string, std::string>>& members,
                bool deflate) {
  const TemporaryFolder folder;
  ZipWriter zip(folder / "a.zip", deflate);
  for (const auto& [name, content] : members) {
    zip.Add(name, [&, bytes = std::string_view(content)](ByteSink& sink) {
      // In two parts, as headers and data come.
      sink.Write(bytes.substr(0, bytes.size() / 3));
      sink.Write(bytes.substr(bytes.size() / 3));
    });
  }
  zip.Finish();
  return ReadFile(folder / "a.zip");
}

std::string Content(const ZipReader& zip, const std::string& name) {
  const FileBytes bytes = zip.Read(name);
  return {reinterpret_cast<const char*>(bytes.bytes.data()),
          bytes.bytes.size()};
}

std::string Much() {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919 % 10007);
  return text;
}

TEST(Zip, ReadsWhatItWrites) {
  for (const bool deflate : {false, true}) {
    const std::string file =
        Zip({{"a", "hello"}, {"b/\xc3\xa9", ""}, {"c", Much()}}, deflate);
    const ZipReader zip(BytesOf(file));
    EXPECT_EQ(zip.Names(), (std::vector<std::string>{"a", "b/\xc3\xa9", "c"}));
    EXPECT_EQ(Content(zip, "a"), "hello");
    EXPECT_EQ(Content(zip, "b/\xc3\xa9"), "");
    EXPECT_EQ(Content(zip, "c"), Much());
    EXPECT_EQ(file.size() < Much().size(), deflate);
    EXPECT_THROW(zip.Read("d"), FormatError);
  }
}

TEST(Zip, SameMembersSameBytes) {
  EXPECT_EQ(Zip({{"a", "hello"}}, true), Zip({{"a", "hello"}}, true));
}

TEST(Zip, WithoutMembers) {
  EXPECT_TRUE(ZipReader(BytesOf(Zip({}, false))).Names().empty());
}

TEST(Zip, MoreMembersThan16BitsCount) {
  std::vector<std::pair<std::string, std::string>> members;
  for (int i = 0; i < 66000; ++i) members.emplace_back(std::to_string(i), "x");
  const ZipReader zip(BytesOf(Zip(members, false)));
  EXPECT_EQ(zip.Names().size(), 66000U);
  EXPECT_EQ(Content(zip, "65999"), "x");
}

TEST(Zip, EveryCutIsFound) {
  for (const bool deflate : {false, true}) {
    const std::string file = Zip({{"a", "hello hello"}, {"b", "x"}}, deflate);
    for (size_t size = 0; size < file.size(); ++size) {
      EXPECT_THROW(ZipReader(BytesOf(file.substr(0, size))), FormatError);
    }
  }
}

// A change of any one byte is an error, or it is of no consequence.
TEST(Zip, EveryChangeIsFound) {
  for (const bool deflate : {false, true}) {
    const std::string file = Zip({{"a", "hello hello"}, {"b", "x"}}, deflate);
    for (size_t at = 0; at < file.size(); ++at) {
      for (const int change : {1, 0x80, 0xff}) {
        std::string changed = file;
        changed[at] = static_cast<char>(changed[at] ^ change);
        try {
          const ZipReader zip(BytesOf(changed));
          for (const std::string& name : zip.Names()) {
            const std::string content = Content(zip, name);
            EXPECT_TRUE(content == "hello hello" || content == "x") << at;
          }
        } catch (const FormatError&) {
        }
      }
    }
  }
}

// What reading its member "a" throws.
std::string ProblemOf(const std::string& file) {
  try {
    ZipReader(BytesOf(file)).Read("a");
    return "none";
  } catch (const FormatError& error) {
    return error.what();
  }
}

TEST(Zip, DoesntAllocateWhatTheFileSays) {
  std::string file = Zip({{"a", std::string(100, 'x')}}, true);
  // The size, in the directory: 24 bytes after its signature.
  const size_t directory = file.find("PK\1\2");
  file.replace(directory + 24, 4, "\xfe\xff\xff\xff");
  EXPECT_EQ(ProblemOf(file), "the zip file is damaged: a size is impossible");
}

// Deflate could make a million bytes of a thousand, but these are fewer.
TEST(Zip, AWrongSizeIsFound) {
  const std::string right = Zip({{"a", std::string(1000, 'x')}}, true);
  for (const char* size : {"\xe7\x03", "\xe9\x03", "\xe8\x13"}) {
    std::string file = right;
    file.replace(file.find("PK\1\2") + 24, 2, size, 2);
    EXPECT_EQ(ProblemOf(file), "the zip file is damaged: a size is wrong");
  }
}

// Large enough that its pages are given back between two reads.
TEST(Npz, AMemberIsReadAgainAndAgain) {
  const TemporaryFolder folder;
  Tensor large = FloatsOf(std::vector<float>(4'300'001, 1.5F));
  for (const bool deflate : {false, true}) {
    const std::string path = folder / (deflate ? "b.npz" : "a.npz");
    ZipWriter zip(path, deflate);
    AddToNpz(DataOf(FloatsOf({1, 2})), "small", zip);
    AddToNpz(DataOf(large), "large", zip);
    zip.Finish();
    const NpzFile npz(path);
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(Same(npz.Read("large"), large));
      EXPECT_TRUE(Same(npz.Read("small"), FloatsOf({1, 2})));
    }
    const uint64_t stored = npz.BytesOf("large");
    if (deflate) {
      EXPECT_EQ(stored, UINT64_MAX);
    } else {
      EXPECT_EQ(stored, 4'300'001 * sizeof(float) + 128);
    }
    EXPECT_EQ(npz.BytesOf("none"), UINT64_MAX);
  }
}

TEST(Npz, MembersAreMappedWhereTheyCanBe) {
  const TemporaryFolder folder;
  ZipWriter zip(folder / "a.npz", false);
  AddToNpz(DataOf(FloatsOf({1, 2})), "odd name", zip);
  AddToNpz(DataOf(FloatsOf({3})), "/b/c", zip);
  zip.Finish();
  EXPECT_EQ(NpzFile(folder / "a.npz").Members(),
            (std::vector<std::string>{"odd name", "/b/c"}));
  const Tensor tensor = NpzFile(folder / "a.npz").Read("/b/c");
  EXPECT_TRUE(Same(tensor, FloatsOf({3})));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.bytes.data()) % 64, 0U);
  try {
    NpzFile(folder / "a.npz").Read("d");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kInput);
    EXPECT_STREQ(error.what(), "member 'd': has no member 'd.npy'");
  }
}

}  // namespace
}  // namespace onnx_expose

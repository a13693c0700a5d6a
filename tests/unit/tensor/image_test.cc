#include "tensor/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "onnx_expose/element_types.h"
#include "onnx_expose/error.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

// The pictures are 5 x 4, and this is what they show.
constexpr int64_t kWidth = 5;
constexpr int64_t kHeight = 4;
int Shown(int64_t y, int64_t x, int64_t channel) {
  return static_cast<int>((y * 61 + x * 37 + channel * 89 + x * y * 7) % 256);
}

std::string Path(const std::string& name) {
  return std::string(ONNX_EXPOSE_TEST_DATA "/feeds/") + name;
}

template <typename T>
std::vector<T> Elements(const Tensor& tensor) {
  std::vector<T> elements(tensor.bytes.size() / sizeof(T));
  std::memcpy(elements.data(), tensor.bytes.data(), tensor.bytes.size());
  return elements;
}

Tensor Read(const std::string& name, const std::string& type,
            std::vector<int64_t> shape, std::vector<double> mean = {},
            std::vector<double> scale = {}) {
  return ReadPicture(Path(name), {ElementType(type), std::move(shape),
                                  std::move(mean), std::move(scale)});
}

// What a picture of the same size gives as uint8, channels last.
std::vector<int> AllShown(
    const std::function<int(int64_t y, int64_t x, int64_t channel)>& shown,
    int64_t channels) {
  std::vector<int> all;
  for (int64_t y = 0; y < kHeight; ++y) {
    for (int64_t x = 0; x < kWidth; ++x) {
      for (int64_t c = 0; c < channels; ++c) all.push_back(shown(y, x, c));
    }
  }
  return all;
}

std::string Problem(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    const Message& message = error.message();
    return message.what + "; " + message.note + "; " + message.hint;
  }
  return "no error";
}

TEST(Picture, ChannelsFirst) {
  const Tensor tensor = Read("rgb.png", "float", {1, 3, 4, 5});
  EXPECT_THAT(tensor.shape, ElementsAre(1, 3, 4, 5));
  const auto numbers = Elements<float>(tensor);
  ASSERT_EQ(numbers.size(), 60U);
  for (int64_t c = 0; c < 3; ++c) {
    for (int64_t y = 0; y < kHeight; ++y) {
      for (int64_t x = 0; x < kWidth; ++x) {
        EXPECT_FLOAT_EQ(
            numbers[static_cast<size_t>((c * kHeight + y) * kWidth + x)],
            static_cast<float>(Shown(y, x, c)) / 255);
      }
    }
  }
}

TEST(Picture, ChannelsLast) {
  const Tensor tensor = Read("rgb.png", "uint8", {1, 4, 5, 3});
  EXPECT_THAT(tensor.shape, ElementsAre(1, 4, 5, 3));
  EXPECT_THAT(Elements<uint8_t>(tensor), ElementsAreArray(AllShown(Shown, 3)));
}

TEST(Picture, EveryKindOfPng) {
  const std::vector<int> rgb = AllShown(Shown, 3);
  const std::vector<int> grey =
      AllShown([](int64_t y, int64_t x, int64_t) { return Shown(y, x, 0); }, 3);
  const auto read = [](const char* name) {
    return Elements<uint8_t>(Read(name, "uint8", {1, -1, -1, 3}));
  };
  EXPECT_THAT(read("grey.png"), ElementsAreArray(grey));
  EXPECT_THAT(read("grey_alpha.png"), ElementsAreArray(grey));
  EXPECT_THAT(read("rgba.png"), ElementsAreArray(rgb));
  EXPECT_THAT(read("palette.png"), ElementsAreArray(rgb));
  EXPECT_THAT(read("rgb16.png"), ElementsAreArray(rgb));
}

TEST(Picture, GreyFromColours) {
  // Pillow's convert("L"), which rounds down and so may be one less.
  const std::vector<int> expected = {73,  110, 147, 154, 191, 134, 148,
                                     192, 86,  130, 165, 66,  117, 92,
                                     143, 76,  134, 116, 144, 202};
  const auto grey = Elements<uint8_t>(Read("rgb.png", "uint8", {1, 1, 4, 5}));
  ASSERT_EQ(grey.size(), expected.size());
  for (size_t i = 0; i < grey.size(); ++i) {
    EXPECT_NEAR(grey[i], expected[i], 1);
  }
}

// Against Pillow's resize of floating-point images, BILINEAR.
TEST(Picture, Smaller) {
  const auto numbers =
      Elements<float>(Read("rgb.png", "float", {1, 3, 2, 3}, {}, {1 / 255.0}));
  EXPECT_THAT(
      numbers,
      Pointwise(FloatNear(2e-3F),
                std::vector<float>{
                    61.571F, 119.444F, 157.0F, 162.143F, 135.714F, 109.286F,
                    134.898F, 155.619F, 136.286F, 94.408F, 106.873F, 161.714F,
                    155.98F, 134.905F, 115.571F, 105.041F, 143.048F, 141.0F}));
}

TEST(Picture, Larger) {
  const auto numbers =
      Elements<float>(Read("grey.png", "float", {6, 8}, {}, {1 / 255.0}));
  EXPECT_THAT(
      numbers,
      Pointwise(FloatNear(2e-3F),
                std::vector<float>{
                    0.0F,     16.188F,  39.312F,  62.438F,  85.562F,  108.688F,
                    131.812F, 148.0F,   30.5F,    48.219F,  73.531F,  98.844F,
                    124.156F, 149.469F, 174.781F, 192.5F,   71.167F,  90.927F,
                    119.156F, 147.385F, 162.281F, 163.844F, 189.406F, 209.167F,
                    111.833F, 133.635F, 164.781F, 195.927F, 160.406F, 58.219F,
                    76.031F,  97.833F,  152.5F,   176.344F, 202.406F, 156.469F,
                    110.531F, 64.594F,  90.656F,  114.5F,   183.0F,   208.375F,
                    228.625F, 104.875F, 61.125F,  97.375F,  133.625F, 159.0F}));
}

TEST(Picture, Jpeg) {
  // Every third pixel of every third row, by Pillow; decoders differ a little.
  const std::vector<int> expected = {0, 0,   100, 60, 0,   114, 120, 1,   131,
                                     0, 75,  115, 60, 75,  130, 120, 75,  144,
                                     1, 150, 131, 60, 151, 146, 120, 150, 160};
  for (const auto& [name, tolerance] :
       {std::pair("smooth.jpg", 2), std::pair("progressive.jpg", 10)}) {
    const auto pixels = Elements<uint8_t>(Read(name, "uint8", {1, -1, -1, 3}));
    ASSERT_EQ(pixels.size(), 8U * 8 * 3) << name;
    for (size_t i = 0; i < expected.size(); ++i) {
      const size_t at = (i / 9 * 3 * 8 + i / 3 % 3 * 3) * 3 + i % 3;
      EXPECT_NEAR(pixels[at], expected[i], tolerance) << name << " " << i;
    }
  }
}

TEST(Picture, MeanAndScale) {
  const auto first = [](const std::vector<double>& mean,
                        const std::vector<double>& scale) {
    const auto numbers =
        Elements<float>(Read("rgb.png", "float", {3, 4, 5}, mean, scale));
    return std::vector<float>{numbers[1], numbers[21], numbers[41]};
  };
  const float r = 37.0F / 255;
  const float g = 126.0F / 255;
  const float b = 215.0F / 255;
  const auto near = [](float x) { return FloatNear(x, 1e-6F); };
  EXPECT_THAT(first({0.5}, {0.25}),
              ElementsAre(near((r - 0.5F) * 4), near((g - 0.5F) * 4),
                          near((b - 0.5F) * 4)));
  EXPECT_THAT(
      first({0.1, 0.2, 0.3}, {1, 2, 4}),
      ElementsAre(near(r - 0.1F), near((g - 0.2F) / 2), near((b - 0.3F) / 4)));
}

TEST(Picture, BatchIsRepeated) {
  const Tensor tensor = Read("grey.png", "uint8", {2, 1, 4, 5});
  EXPECT_THAT(tensor.shape, ElementsAre(2, 1, 4, 5));
  const auto pixels = Elements<uint8_t>(tensor);
  ASSERT_EQ(pixels.size(), 40U);
  EXPECT_EQ(std::memcmp(pixels.data(), pixels.data() + 20, 20), 0);
  EXPECT_EQ(pixels[1], 37);
}

TEST(Picture, FreeDimsAreThePictures) {
  EXPECT_THAT(Read("rgb.png", "float16", {-1, 3, -1, -1}).shape,
              ElementsAre(1, 3, 4, 5));
  EXPECT_THAT(Read("rgb.png", "float", {-1, 2, -1, 3}).shape,
              ElementsAre(1, 2, 5, 3));
}

TEST(Picture, Float16) {
  const auto halves = Elements<uint16_t>(
      Read("grey.png", "float16", {1, 1, 4, 5}, {}, {1 / 255.0}));
  EXPECT_EQ(halves[1], 0x50A0);  // 37
}

TEST(Picture, TargetsThatAreNone) {
  EXPECT_THAT(Problem([] {
                Read("rgb.png", "float", {1, 2, 4, 5});
              }),
              HasSubstr("which dim of [1,2,4,5] are the channels"));
  EXPECT_THAT(Problem([] {
                Read("rgb.png", "float", {-1, -1, -1, -1});
              }),
              HasSubstr("[?,?,?,?]"));
  EXPECT_THAT(Problem([] { Read("rgb.png", "float", {5}); }),
              HasSubstr("only 2 to 4 dims"));
  EXPECT_THAT(Problem([] {
                Read("rgb.png", "int64", {1, 3, 4, 5});
              }),
              HasSubstr("a picture can't be int64"));
  EXPECT_THAT(Problem([] {
                Read("rgb.png", "uint8", {1, 3, 4, 5}, {0.5});
              }),
              HasSubstr("--mean and --scale"));
  EXPECT_THAT(Problem([] {
                Read("rgb.png", "float", {1, 3, 4, 5}, {1, 2});
              }),
              HasSubstr("--mean has 2 numbers, and the input 3 channels"));
  EXPECT_THAT(Problem([] {
                Read("rgb.png", "float", {1, 3, 4, 5}, {}, {0});
              }),
              HasSubstr("can't be 0"));
  EXPECT_THAT(Problem([] {
                Read("rgb.png", "float", {1, 3, 0, 5});
              }),
              HasSubstr("empty tensor"));
  EXPECT_THAT(Problem([] {
                Read("rgb.png", "float", {1, 3, 1 << 20, 1 << 20});
              }),
              HasSubstr("too large"));
}

TEST(Picture, FilesThatAreNone) {
  EXPECT_THAT(Problem([] {
                Read("none.png", "float", {1, 3, 4, 5});
              }),
              HasSubstr("can't read: No such file"));
  EXPECT_THAT(Problem([] {
                Read("too_many_pixels.png", "float", {1, 3, 4, 5});
              }),
              HasSubstr("20000 x 20000 pixels"));
  const TemporaryFolder folder;
  std::string larger = ReadFile(Path("too_many_pixels.png"));
  larger[16] = 1;  // the highest byte of the width
  WriteFile(folder / "larger.png", larger);
  EXPECT_THAT(Problem([&] {
                ReadPicture(folder / "larger.png",
                            {ElementType("float"), {1, 3, 4, 5}, {}, {}});
              }),
              HasSubstr("no picture that can be read; too large"));
  // 4 MiB unpacked for 2 x 2 pixels.
  EXPECT_THAT(Problem([] {
                Read("bomb.png", "float", {1, 3, 4, 5});
              }),
              HasSubstr("no picture that can be read; outofmem"));
  for (const char* name : {"rgb.png", "smooth.jpg"}) {
    const std::string whole = ReadFile(Path(name));
    for (size_t size = 0; size < whole.size(); size += 7) {
      WriteFile(folder / "cut", whole.substr(0, size));
      // JPEG fills up what is missing at the end; either way nothing breaks.
      const std::string problem = Problem([&] {
        ReadPicture(folder / "cut",
                    {ElementType("float"), {1, 3, 4, 5}, {}, {}});
      });
      if (size < 64) {
        EXPECT_THAT(problem, HasSubstr("no picture")) << size;
      }
    }
  }
}

// stb_image of Debian 12 writes past its tables.
TEST(Picture, HuffmanTableOfTooManyCodes) {
  const TemporaryFolder folder;
  const auto problem = [&](const std::string& jpeg) {
    WriteFile(folder / "x.jpg", jpeg);
    return Problem([&] {
      ReadPicture(folder / "x.jpg", {ElementType("float"), {3, 8, 8}, {}, {}});
    });
  };
  const std::string good = ReadFile(Path("smooth.jpg"));
  const std::string marker = "\xFF\xC4";
  std::string bad = good;
  const size_t table = bad.rfind(marker);
  ASSERT_NE(table, std::string::npos);
  bad[table + 5] = '\xFF';
  bad[table + 6] = '\x02';
  EXPECT_THAT(problem(bad), HasSubstr("bad Huffman table"));
  // Metadata may hold the same bytes.
  const std::string comment = std::string("\xFF\xFE\0\x18", 4) + marker +
                              std::string("\0\x13", 2) +
                              std::string(18, '\xFF');
  EXPECT_EQ(problem(good.substr(0, 2) + comment + good.substr(2)), "no error");
  // Damage sends a decoder looking for the next marker, which it may find here.
  EXPECT_THAT(problem(good.substr(0, 2) + "x" + comment + good.substr(2)),
              HasSubstr("bad Huffman table"));
}

}  // namespace
}  // namespace onnx_expose::testing

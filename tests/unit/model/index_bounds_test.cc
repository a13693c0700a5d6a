#include "model/index_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::map<std::string, int64_t> Bounds(const std::string& graph) {
  const onnx::ModelProto model = FromText(
      "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : "
      "1]>" +
      graph);
  const GraphIndex index(model);
  return IndexBounds(index, InferTypes(index, {}));
}

TEST(IndexBounds, RowsOfATable) {
  EXPECT_THAT(Bounds(R"(g (int64[N] ids, float[50,4] table) => (float[N,4] y)
                       { y = Gather(table, ids) })"),
              UnorderedElementsAre(Pair("ids", 50)));
}

TEST(IndexBounds, AxisOfTheDataCounts) {
  EXPECT_THAT(Bounds(R"(g (int64[N] ids, float[50,4] table) => (float[50,N] y)
                { y = Gather <axis = -1> (table, ids) })"),
              UnorderedElementsAre(Pair("ids", 4)));
}

TEST(IndexBounds, TuplesOfPositions) {
  EXPECT_THAT(Bounds(R"(g (int64[N,2] at, float[50,7,3] x) => (float[N,3] y)
                { y = GatherND(x, at) })"),
              UnorderedElementsAre(Pair("at", 7)));
  EXPECT_THAT(Bounds(R"(g (int64[50,1] at, float[50,7,3] x) => (float[50,3] y)
                { y = GatherND <batch_dims = 1> (x, at) })"),
              UnorderedElementsAre(Pair("at", 7)));
  EXPECT_THAT(Bounds(R"(g (int64[N,K] at, float[50,7] x, float[N] z)
                          => (float[50,7] y) { y = ScatterND(x, at, z) })"),
              IsEmpty());
}

TEST(IndexBounds, SeenThroughCastAndReshape) {
  EXPECT_THAT(Bounds(R"(g (int32[1,N] ids, int64[1] flat, float[50,4] table)
                          => (float[N,4] y) {
                          wide = Cast <to = 7> (ids)
                          row = Reshape(wide, flat)
                          y = Gather(table, row)
                        })"),
              UnorderedElementsAre(Pair("ids", 50)));
}

TEST(IndexBounds, TheSmallestOfSeveral) {
  EXPECT_THAT(
      Bounds(R"(g (int64[N] ids, float[50,4] a, float[20,4] b, float[M,4] c)
                  => (float[N,4] x, float[N,4] y, float[N,4] z) {
                  x = Gather(a, ids)
                  y = Gather(b, ids)
                  z = Gather(c, ids)
                })"),
      UnorderedElementsAre(Pair("ids", 20)));
}

TEST(IndexBounds, EmbeddingOfOnnxRuntime) {
  EXPECT_THAT(
      Bounds(R"(g (int32[1,N] ids, int32[1,N] segments, float[50,4] words,
                   float[30,4] positions, float[2,4] kinds, float[4] s)
                  => (float[1,N,4] y, int32[1] m) {
                  y, m = com.microsoft.EmbedLayerNormalization
                    (ids, segments, words, positions, kinds, s, s)
                })"),
      UnorderedElementsAre(Pair("ids", 50), Pair("segments", 2)));
}

TEST(IndexBounds, InABody) {
  EXPECT_THAT(Bounds(R"(g (int64[N] ids, float[50,4] table, bool c)
                          => (float[N,4] y) {
                          y = If(c) <
                            then_branch = t () => (float[N,4] a)
                              { a = Gather(table, ids) },
                            else_branch = e () => (float[N,4] b)
                              { b = Gather(table, ids) }>
                        })"),
              UnorderedElementsAre(Pair("ids", 50)));
}

TEST(IndexBounds, NothingWhereNumbersAreNoPositions) {
  // Data that are indexed, numbers that are changed first, an unknown size.
  EXPECT_THAT(Bounds(R"(g (int64[50] ids, int64[N] i, float[M,4] table)
                          => (int64[N] x, float[N,4] y, float[N,4] z) {
                          x = Gather(ids, i)
                          twice = Add(x, x)
                          y = Gather(table, twice)
                          z = Gather(table, i)
                        })"),
              UnorderedElementsAre(Pair("i", 50)));
  EXPECT_THAT(Bounds(R"(g (int64[N] i, float[50,4] table) => (float[N,4] y) {
                          twice = Add(i, i)
                          y = Gather(table, twice)
                        })"),
              IsEmpty());
}

}  // namespace
}  // namespace onnx_expose::testing

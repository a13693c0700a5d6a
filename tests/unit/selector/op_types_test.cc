#include "selector/op_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "onnx_expose/error.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

onnx::NodeProto Node(const std::string& domain, const std::string& op) {
  onnx::NodeProto node;
  node.set_domain(domain);
  node.set_op_type(op);
  return node;
}

std::vector<int> Found(const OpTypeList& list, const onnx::NodeProto& node) {
  std::vector<int> found;
  list.Match(node, found);
  return found;
}

TEST(OpTypeListTest, BareNameIsAnyDomain) {
  const OpTypeList list("--ops", {"Gelu"});
  EXPECT_THAT(Found(list, Node("", "Gelu")), ElementsAre(0));
  EXPECT_THAT(Found(list, Node("com.microsoft", "Gelu")), ElementsAre(0));
  EXPECT_THAT(Found(list, Node("", "gelu")), IsEmpty());
  EXPECT_THAT(Found(list, Node("", "Gelu2")), IsEmpty());
}

TEST(OpTypeListTest, DomainNarrows) {
  const OpTypeList list("--ops", {"com.microsoft::Gelu", "ai.onnx::Gelu"});
  EXPECT_THAT(Found(list, Node("", "Gelu")), ElementsAre(1));
  EXPECT_THAT(Found(list, Node("ai.onnx", "Gelu")), ElementsAre(1));
  EXPECT_THAT(Found(list, Node("com.microsoft", "Gelu")), ElementsAre(0));
  EXPECT_THAT(Found(list, Node("other", "Gelu")), IsEmpty());
}

TEST(OpTypeListTest, DomainMayHaveColons) {
  const OpTypeList list("--ops", {"a::b::Op", "::Relu"});
  EXPECT_THAT(Found(list, Node("a::b", "Op")), ElementsAre(0));
  EXPECT_THAT(Found(list, Node("", "Relu")), ElementsAre(1));
}

TEST(OpTypeListTest, EachOnce) {
  const OpTypeList list("--ops", {"Relu", "Relu", "ai.onnx::Relu"});
  EXPECT_THAT(list.texts(), ElementsAre("Relu", "ai.onnx::Relu"));
  EXPECT_THAT(Found(list, Node("", "Relu")), ElementsAre(0, 1));
}

TEST(OpTypeListTest, EmptyIsAUsageError) {
  for (const char* text : {"", "ai.onnx::"}) {
    try {
      const OpTypeList list("--exclude-ops", {"Relu", text});
      ADD_FAILURE() << "no error for '" << text << "'";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage);
      EXPECT_STREQ(error.what(), "--exclude-ops: an op type is empty");
    }
  }
}

TEST(OpTextTest, NamesTheDomainUnlessItIsTheDefault) {
  EXPECT_EQ(OpText(Node("ai.onnx", "Relu")), "Relu");
  EXPECT_EQ(OpText(Node("com.microsoft", "Gelu")), "com.microsoft::Gelu");
}

}  // namespace
}  // namespace onnx_expose

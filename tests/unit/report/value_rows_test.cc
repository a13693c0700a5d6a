#include "report/value_rows.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/json.h"

namespace onnx_expose {
namespace {

ValueRow Input() {
  ValueRow row;
  row.op_type = "Input";
  row.value = "x";
  row.type = "float[N,4]";
  return row;
}

ValueRow Output() {
  ValueRow row;
  row.index = 12;
  row.op_type = "Gelu";
  row.domain = "com.microsoft";
  row.node = "g";
  row.value = "名";
  row.type = "float[1,4]";
  row.bytes = 16;
  row.is_output = true;
  row.constant = true;
  row.scope = "if0/then_branch";
  return row;
}

TEST(ValueTable, ColumnsAlign) {
  EXPECT_EQ(
      ValueTable({Input(), Output()}),
      "INDEX  OP                   NODE  VALUE  TYPE           BYTES  MARK  "
      "           SCOPE\n"
      "       Input                      x      float[N,4]\n"
      "   12  com.microsoft::Gelu  g     名      float[1,4]  16 bytes  "
      "output,constant  if0/then_branch\n");
}

TEST(ValueTable, ALongNameMovesItsOwnRowOnly) {
  ValueRow longer = Output();
  longer.node = std::string(100, 'n');
  longer.scope = "";
  const std::string table = ValueTable({longer, Input()});
  EXPECT_NE(table.find(std::string(100, 'n') + "  名"), std::string::npos);
  EXPECT_LT(table.find("VALUE"), 100U);
}

TEST(ValueRecords, FieldsAreSeparatedByTabs) {
  ValueRow odd = Output();
  odd.node = "a\tb\n";
  EXPECT_EQ(ValueRecords({Input(), odd}),
            "\tInput\t\tx\tfloat[N,4]\t\t\t\t\n"
            "12\tcom.microsoft::Gelu\ta\\tb\\n\t名\tfloat[1,4]\t16\t"
            "output,constant\tif0/then_branch\t\n");
}

TEST(ValueJson, NamesAreBytes) {
  ValueRow odd = Output();
  odd.value = "\xff\xfeQ";
  const std::string text = JsonText(ValueJson(odd), -1);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["value"], "\uFFFD\uFFFDQ");
  EXPECT_EQ(json["index"], 12);
  EXPECT_EQ(json["bytes"], 16);
  EXPECT_EQ(json["kind"], "node_output");
}

TEST(ValueJson, InputsHaveNoNode) {
  const auto json = nlohmann::json::parse(JsonText(ValueJson(Input()), -1));
  EXPECT_EQ(json["kind"], "input");
  EXPECT_FALSE(json.contains("index"));
  EXPECT_TRUE(json["bytes"].is_null());
}

}  // namespace
}  // namespace onnx_expose

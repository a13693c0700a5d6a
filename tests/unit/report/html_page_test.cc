#include "report/html_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "onnx_expose/dump.h"
#include "onnx_expose/report.h"
#include "report/page_files.h"
#include "tests/support/model_files.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using testing::DataOf;
using testing::FloatsOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TemporaryFolder;

constexpr const char* kScript = "</script><script>alert(1)</script>";
constexpr const char* kImage = "\"><img src=x onerror=alert(1)>";

// A dump of which everything that can have a name has a hostile one.
std::string HostileDump(const TemporaryFolder& folder) {
  const std::string path = folder.path() + "/dump<img onerror=alert(1)>";
  DumpWriter dump(path, {});
  DumpedValue value;
  value.name = std::string("value ") + kScript + "\xE2\x80\xA8`|";
  value.node = kImage;
  value.op_type = kScript;
  value.domain = kImage;
  value.scope = kScript;
  dump.Add(value, DataOf(FloatsOf({1, 2, 3})));
  DumpHeader header;
  header.model.path = std::string(kScript) + kImage;
  header.notes = {kScript};
  DumpHeader::Input input;
  input.name = kImage;
  header.inputs.push_back(dump.AddInput(input, DataOf(FloatsOf({1}))));
  dump.Finish(header);
  return path;
}

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(ForScriptElement, WhatCouldEndIt) {
  EXPECT_EQ(ForScriptElement("{\"a\":\"</script>&\xE2\x80\xA8\xE2\x80\xA9\"}"),
            "{\"a\":\"\\u003c/script\\u003e\\u0026\\u2028\\u2029\"}");
}

TEST(HtmlReport, NamesStayText) {
  const TemporaryFolder folder;
  const ReportSubject subject({HostileDump(folder)});
  const std::string page = HtmlReport(subject, {});
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("\\u003cscript\\u003ealert(1)"));
  // uPlot, the page's own scripts, the data: nothing else.
  EXPECT_EQ(CountOf(page, "<script"),
            CountOf(HtmlPage("{}", false), "<script"));
}

TEST(HtmlReport, OnlyItsOwnScriptsMayRun) {
  const std::string page = HtmlPage("{}", false);
  std::smatch policy;
  ASSERT_TRUE(std::regex_search(
      page, policy,
      std::regex("Content-Security-Policy\" content=\"([^\"]*)")));
  EXPECT_THAT(policy[1].str(), HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy[1].str(), Not(HasSubstr("unsafe")));
  EXPECT_THAT(policy[1].str(), Not(HasSubstr("connect-src")));
  EXPECT_EQ(CountOf(policy[1].str(), "'sha256-"),
            CountOf(page, "<script>") + CountOf(page, "<style>"));
}

TEST(HtmlReport, HoldsWhatItNeeds) {
  const std::string page = HtmlPage("{}", false);
  EXPECT_THAT(page, HasSubstr("uPlot"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"")));
  EXPECT_TRUE(PageFile("no such file").empty());
}

TEST(HtmlReport, FullIsRefusedWhereThereIsNoRoom) {
  const TemporaryFolder folder;
  DumpWriter dump(folder.path() + "/d", {});
  DumpedValue value;
  value.name = "x";
  dump.Add(value, DataOf(FloatsOf(std::vector<float>(500'000, 1))));
  dump.Finish({});
  const ReportSubject subject({folder.path() + "/d"});
  HtmlOptions options;
  options.max_bytes = 400'000;
  EXPECT_LT(HtmlReport(subject, options).size(), options.max_bytes);
  options.full = true;
  EXPECT_THROW(HtmlReport(subject, options), Error);
  options.max_bytes = 2'000'000;
  EXPECT_GT(HtmlReport(subject, options).size(), 600'000u);
}

TEST(MarkdownReport, NamesStandInCodeSpans) {
  const TemporaryFolder folder;
  const ReportSubject subject({HostileDump(folder)});
  const std::string text = MarkdownReport(subject);
  EXPECT_THAT(text, HasSubstr("`` value </script>"));
  EXPECT_THAT(text, HasSubstr("`\\| ``"));
  EXPECT_THAT(text, HasSubstr("**1 value**, none with NaN or infinity"));
}

}  // namespace
}  // namespace onnx_expose

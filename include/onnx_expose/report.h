#ifndef ONNX_EXPOSE_REPORT_H_
#define ONNX_EXPOSE_REPORT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/compare.h"
#include "onnx_expose/dump.h"

namespace onnx_expose {

// What a report is about: a dump, or two dumps that are compared, the second
// one being the reference.
//
//   const ReportSubject subject({"dump"});
//   std::string page = HtmlReport(subject, {});
class ReportSubject {
 public:
  // A value of either side or of both.
  struct Value {
    const DumpedValue* a = nullptr;
    const DumpedValue* b = nullptr;
    const ComparedValue* compared = nullptr;
    // The side that is there, of the two the first.
    const DumpedValue& any() const { return a != nullptr ? *a : *b; }
  };

  // Reads the manifests; of two dumps it also compares their values, with the
  // tolerances of `compare`. Throws Error(kInput): no dump, an incomplete one.
  explicit ReportSubject(std::vector<std::string> folders);
  // What there is so far of a dump that is still being written.
  ReportSubject(std::string folder, Manifest so_far);
  ReportSubject(ReportSubject&&) = default;
  ReportSubject& operator=(ReportSubject&&) = default;

  const std::vector<std::string>& folders() const { return folders_; }
  const std::vector<Manifest>& manifests() const { return manifests_; }
  bool complete() const { return complete_; }
  const std::optional<CompareResult>& comparison() const { return comparison_; }
  // In the order of the run.
  const std::vector<Value>& values() const { return values_; }

  // What a side saved; nothing if the value isn't there or wasn't saved.
  std::optional<Data> ReadA(const Value& value) const;
  std::optional<Data> ReadB(const Value& value) const;

 private:
  void Compare();
  void AddValues();

  bool complete_ = true;
  std::vector<std::string> folders_;
  std::vector<Manifest> manifests_;
  std::vector<DumpReader> readers_;
  std::optional<CompareResult> comparison_;
  std::vector<Value> values_;
};

struct HtmlOptions {
  // All elements of every tensor instead of so many as the page has room for.
  bool full = false;
  // About how large the page may become.
  uint64_t max_bytes = 32'000'000;
};

// One page that needs nothing else: no network, no other file. Names in it are
// data and never markup. Throws Error(kOutput) when all elements are asked for
// and don't fit.
std::string HtmlReport(const ReportSubject& subject,
                       const HtmlOptions& options);

// A short summary for a pull request, in GitHub's Markdown: what was run, the
// verdict, the ten worst values. Names stand in code spans.
std::string MarkdownReport(const ReportSubject& subject);

// A line for each value: the statistics of one dump as in its stats.csv, the
// metrics of two as `compare --csv` has them.
std::string CsvReport(const ReportSubject& subject);

// What Model Explorer calls node data, to colour its graph with: of two dumps
// the greatest difference, of one the greatest magnitude; NaN and infinity in a
// colour of their own. Keys are the values' names, which it finds as names of
// output tensors.
std::string ModelExplorerReport(const ReportSubject& subject);

struct PictureFile {
  std::string name;
  std::string png;
};

// The pictures of one value: its histogram, and elements as a picture (of two
// dumps A, B and the difference, side by side). Empty if nothing is stored.
std::vector<PictureFile> ValuePictures(const ReportSubject& subject,
                                       const ReportSubject::Value& value);

// How an event file for TensorBoard begins. `seconds`: since 1970, of events.
std::string TensorBoardStart(double seconds);

// What follows, for each data set of a run: scalars and histogram of the
// statistics and a picture of each value of the (first) dump. `step`: the data
// set's number.
std::string TensorBoardEvents(const ReportSubject& subject, uint64_t step,
                              double seconds);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_H_

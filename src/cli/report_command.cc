#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/flag_values.h"
#include "cli/options.h"
#include "cli/usage.h"
#include "onnx_expose/report.h"
#include "report/output_file.h"
#include "support/text.h"
#include "tensor/dump_folder.h"

namespace onnx_expose::cli {
namespace {

struct ReportFlags {
  std::string dump;
  std::string reference;
  std::string output;
  bool force = false;
  bool full = false;
  std::string max_size;
  std::string markdown;
  std::string csv;
  std::string png;
  std::string tensorboard;
  std::string model_explorer;

  // Anything but event files, which show each dump by itself.
  bool any_page() const {
    for (const auto* each : {&output, &markdown, &csv, &png, &model_explorer}) {
      if (!each->empty()) return true;
    }
    return false;
  }
};

void AddOptions(CLI::App& app, ReportFlags& flags) {
  Options dumps(app, "");
  dumps.Positional("DIR", flags.dump, "");
  dumps.Positional("REFERENCE", flags.reference, "");
  Options output(app, "Output");
  output.Text("-o,--output", flags.output, "FILE",
              "one HTML page, for any browser; '-' is standard output");
  output.Text("--markdown", flags.markdown, "FILE",
              "a short summary for a pull request; '-' as above");
  output.Text("--csv", flags.csv, "FILE",
              "a line for each value; '-' as above");
  output.Text("--png", flags.png, "DIR",
              "a picture and a histogram of each value as PNG files");
  output.Text("--tensorboard", flags.tensorboard, "LOGDIR",
              "an event file that TensorBoard opens: scalars, histograms, "
              "pictures; a step for each data set");
  output.Text("--model-explorer", flags.model_explorer, "FILE",
              "node data that colour a graph in Model Explorer");
  output.Flag("-f,--force", flags.force, "replace files that exist");
  Options page(app, "Page");
  page.Flag("--full", flags.full,
            "all elements of every value instead of thinned out ones");
  page.Text("--max-size", flags.max_size, "SIZE",
            "how large the page may become: 32M unless given");
}

void Write(const std::string& path, const std::string& text, bool force,
           Console& console) {
  if (path == "-") {
    console.Write(text);
    console.Flush();
    return;
  }
  WriteOutputFile(path, text, force);
  console.Say(fmt::format("wrote {}: {}", Quoted(path), ByteText(text.size())));
}

// Before all the work, which can take long.
void CheckIsNew(const std::string& path, bool force) {
  struct stat info {};
  if (!force && !path.empty() && path != "-" &&
      ::stat(path.c_str(), &info) == 0) {
    throw Error(ExitCode::kOutput, path,
                {"exists already", "", "add --force to replace it"});
  }
}

void MakeFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw Error(ExitCode::kOutput, path,
                {"can't be made: " + error.message(), "", ""});
  }
}

void WritePictures(const ReportFlags& flags, const ReportSubject& subject,
                   Console& console) {
  MakeFolder(flags.png);
  size_t files = 0;
  for (const ReportSubject::Value& value : subject.values()) {
    for (const PictureFile& file : ValuePictures(subject, value)) {
      WriteOutputFile(flags.png + "/" + file.name, file.png, flags.force);
      ++files;
    }
  }
  console.Say(
      fmt::format("wrote {}: {}", Quoted(flags.png), Counted(files, "file")));
}

// A step for each data set: one after the other, for memory's sake.
void WriteEvents(const std::string& dump, const std::string& log,
                 const ReportFlags& flags, Console& console) {
  const double now = std::chrono::duration<double>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
  std::vector<std::string> sets = DumpFolders(dump);
  if (sets.empty()) sets = {dump};  // what is wrong is found when it is read
  ReportSubject subject({sets.front()});
  MakeFolder(log);
  const std::string path =
      fmt::format("{}/events.out.tfevents.{:.0f}.onnx-expose", log, now);
  OutputFile file(path);
  file.Write(TensorBoardStart(now));
  for (size_t step = 0; step < sets.size(); ++step) {
    if (step > 0) subject = ReportSubject({sets[step]});
    file.Write(TensorBoardEvents(subject, step, now));
  }
  file.Finish(flags.force);
  console.Say(fmt::format("wrote {}: {} of {}", Quoted(path),
                          ByteText(file.size()),
                          Counted(sets.size(), "data set")));
}

// Of two dumps each is a run of its own.
void WriteAllEvents(const ReportFlags& flags, Console& console) {
  if (flags.reference.empty()) {
    return WriteEvents(flags.dump, flags.tensorboard, flags, console);
  }
  WriteEvents(flags.dump, flags.tensorboard + "/a", flags, console);
  WriteEvents(flags.reference, flags.tensorboard + "/b", flags, console);
}

HtmlOptions ReadHtmlOptions(const ReportFlags& flags) {
  HtmlOptions html;
  html.full = flags.full;
  if (!flags.max_size.empty()) {
    html.max_bytes = ParseSize("--max-size", flags.max_size);
  }
  return html;
}

void WritePages(const ReportFlags& flags, const HtmlOptions& html,
                Console& console) {
  console.Stage("read");
  std::vector<std::string> folders = {flags.dump};
  if (!flags.reference.empty()) folders.push_back(flags.reference);
  const ReportSubject subject(std::move(folders));
  if (subject.comparison()) {
    console.Warn(flags.dump, subject.comparison()->warnings);
  }
  console.Stage("write");
  const auto write = [&](const std::string& path, const auto& text) {
    if (!path.empty()) Write(path, text(), flags.force, console);
  };
  write(flags.output, [&] { return HtmlReport(subject, html); });
  write(flags.markdown, [&] { return MarkdownReport(subject); });
  write(flags.csv, [&] { return CsvReport(subject); });
  write(flags.model_explorer, [&] { return ModelExplorerReport(subject); });
  if (!flags.png.empty()) WritePictures(flags, subject, console);
}

ExitCode Run(const ReportFlags& flags, Console& console) {
  if (flags.dump.empty()) {
    throw Usage("no dump given", "onnx-expose report DIR -o report.html");
  }
  if (!flags.any_page() && flags.tensorboard.empty()) {
    throw Usage("no output given", "add -o report.html");
  }
  const HtmlOptions html = ReadHtmlOptions(flags);
  for (const auto* file :
       {&flags.output, &flags.markdown, &flags.csv, &flags.model_explorer}) {
    CheckIsNew(*file, flags.force);
  }
  if (flags.any_page()) WritePages(flags, html, console);
  console.Stage("write");
  if (!flags.tensorboard.empty()) WriteAllEvents(flags, console);
  console.Stage("");
  return ExitCode::kDone;
}

}  // namespace

Command ReportCommand() {
  return {"report", "DIR [REFERENCE] -o FILE",
          "show a dump, or two and their difference, on one HTML page",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<ReportFlags>();
            AddOptions(app, *flags);
            return [flags](Console& c) { return Run(*flags, c); };
          }};
}

}  // namespace onnx_expose::cli

#include "cli/list_dump.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "onnx_expose/dump.h"
#include "onnx_expose/error.h"
#include "report/dump_report.h"
#include "support/text.h"
#include "tensor/dump_folder.h"

namespace onnx_expose::cli {

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

void ListDump(const std::string& folder, bool plot, Console& console) {
  plot = plot && ::isatty(STDOUT_FILENO) != 0;
  const std::vector<std::string> sets = DumpFolders(folder);
  if (sets.empty()) {
    throw Error(ExitCode::kInput, folder,
                {"is a folder, neither a model nor a dump", "", ""});
  }
  for (const std::string& set : sets) {
    const Manifest manifest = ReadDump(set);
    if (set != folder) console.Write(Printable(set) + ":\n");
    console.Write(DumpTable(manifest, plot));
  }
  console.Flush();
}

}  // namespace onnx_expose::cli

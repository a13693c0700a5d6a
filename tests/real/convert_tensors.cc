// Reads tensor files and writes them as a dump, for tensor_files.py:
//   convert_tensors npy|npz|deflate|pb FOLDER FILE[=KIND]...
#include <cstdio>
#include <string>

#include "onnx_expose/dump.h"
#include "onnx_expose/tensor_files.h"

namespace onnx_expose {
namespace {

Data Read(const std::string& path, const std::string& kind) {
  if (path.ends_with(".pb")) return ReadPb(path, kind, nullptr);
  Data data;
  if (path.ends_with(".npz")) {
    const NpzFile npz(path);
    data.tensor = npz.Read(npz.Members().at(0));
  } else {
    data.tensor = ReadNpy(path);
  }
  return data;
}

void Convert(const std::string& format, int argc, char** argv) {
  DumpOptions options;
  options.format = format == "npy"  ? DumpFormat::kNpy
                   : format == "pb" ? DumpFormat::kPb
                                    : DumpFormat::kNpz;
  options.deflate = format == "deflate";
  DumpWriter dump(argv[2], options);
  for (int i = 3; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t at = argument.find('=');
    const std::string path = argument.substr(0, at);
    DumpedValue value;
    value.index = i - 3;
    value.name = path.substr(path.rfind('/') + 1);
    dump.Add(
        value,
        Read(path, at == std::string::npos ? "" : argument.substr(at + 1)));
  }
  dump.Finish({});
}

}  // namespace
}  // namespace onnx_expose

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    onnx_expose::Convert(argv[1], argc, argv);
  } catch (const onnx_expose::Error& error) {
    std::fprintf(stderr, "%s: %s %s\n", error.file().c_str(),
                 error.message().what.c_str(), error.message().note.c_str());
    return 1;
  }
  return 0;
}

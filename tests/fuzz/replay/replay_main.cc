// Stands in for libFuzzer where a fuzz target is an ordinary test: feeds it
// each file below the folders and files named on the command line.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

void Replay(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  // Named before it is run: a crash then says by itself which file it was.
  std::fprintf(stderr, "%s (%zu bytes)\n", path.c_str(), bytes.size());
  // A copy of exactly this size on the heap: a read past its end is seen by
  // AddressSanitizer, which a string's spare capacity would hide.
  const std::vector<uint8_t> input(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    const fs::path root = argv[i];
    if (fs::is_regular_file(root)) files.push_back(root);
    if (!fs::is_directory(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    std::fprintf(stderr, "no corpus: a replay of nothing proves nothing\n");
    return 1;
  }
  // The target must stand an empty input, whether the corpus has one or not.
  const uint8_t nothing = 0;
  LLVMFuzzerTestOneInput(&nothing, 0);
  for (const fs::path& file : files) Replay(file);
  std::fprintf(stderr, "%zu files replayed\n", files.size());
  return 0;
}

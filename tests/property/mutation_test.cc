// Damaged models through the command line: no crash, no hang, no bug reported,
// memory bounded, and nothing written unless the exit code is 0.
//   ONNX_EXPOSE_MUTATION_COUNT  how many (default 3000)
//   ONNX_EXPOSE_MUTATION_SEED   of the first (default 1)
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/main.h"
#include "tests/property/dice.h"
#include "tests/property/random_model.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kBatch = 250;  // mutations a process
constexpr time_t kSeconds = 20;   // of CPU time: other processes don't count
constexpr int64_t kMostKilobytes = 1 << 20;

// What a child says to its parent, who may have to say it for it.
struct Progress {
  uint64_t seed = 0;
  char complaint[120] = {};
};

uint64_t Number(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::vector<std::string> Originals() {
  std::vector<fs::path> paths;
  for (const char* folder : {"/../fuzz/corpus/models", "/made"}) {
    const std::string root = std::string(ONNX_EXPOSE_TEST_DATA) + folder;
    for (const auto& entry : fs::directory_iterator(root)) {
      if (entry.file_size() > 0 && entry.file_size() < 50000) {
        paths.push_back(entry.path());
      }
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> models;
  for (const fs::path& path : paths) models.push_back(ReadFile(path));
  for (uint64_t seed = 1; seed < 60; ++seed) {
    std::string bytes = Bytes(MakeRandomModel(seed).proto);
    if (bytes.size() < 20000) models.push_back(std::move(bytes));
  }
  return models;
}

// One to four damages of the kinds that transfers, tools and attackers do.
std::string Mutated(std::string bytes, Dice& dice) {
  static constexpr std::string_view kExtremes("\x00\x7f\x80\xff", 4);
  static constexpr std::string_view kTags("\xff\x80\x0a\x3a", 4);
  for (int times = dice.Below(4) + 1; times > 0; --times) {
    const auto at =
        static_cast<size_t>(dice.Below(static_cast<int>(bytes.size())));
    switch (dice.Below(6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.Below(8)));
        break;
      case 1:
        bytes[at] = dice.Pick(kExtremes);
        break;
      case 2:
        bytes.erase(at, static_cast<size_t>(dice.Below(8)) + 1);
        break;
      case 3:
        for (int i = dice.Below(10); i >= 0; --i) {
          bytes.insert(at, 1, dice.Pick(kTags));
        }
        break;
      case 4:
        bytes.insert(at,
                     bytes.substr(at, static_cast<size_t>(dice.Below(37)) + 4));
        break;
      default:
        bytes.resize(std::max<size_t>(at, 8));
    }
    if (bytes.empty()) bytes = "\x08";
  }
  return bytes;
}

// A signal ends the process after so many seconds of work; 0: none.
void SetTimer(time_t seconds) {
  const struct itimerval timer = {{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

// Runs the command on one mutation; what is wrong, or "".
std::string Judge(const TemporaryFolder& folder) {
  std::vector<std::string> words = {"onnx-expose", folder / "model.onnx",
                                    "--all",       "--include-constants",
                                    "-o",          folder / "out.onnx"};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  SetTimer(kSeconds);
  const int code = cli::Main(static_cast<int>(argv.size()), argv.data());
  SetTimer(0);
  const bool written = fs::remove(folder / "out.onnx");
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    if (entry.path().filename() != "model.onnx") return "left a file behind";
  }
  if (written != (code == 0)) return "wrote and failed, or neither";
  const bool expected = code == 0 || (code >= 3 && code <= 5);
  return expected ? "" : "exit " + std::to_string(code);
}

// In a process of its own.
void RunBatch(const std::vector<std::string>& originals, uint64_t first,
              uint64_t count, Progress& progress) {
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(null, STDERR_FILENO);
  const TemporaryFolder folder;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    progress.seed = seed;
    Dice dice(seed);
    WriteFile(folder / "model.onnx", Mutated(dice.Pick(originals), dice));
    const std::string wrong = Judge(folder);
    if (wrong.empty()) continue;
    std::strncpy(progress.complaint, wrong.c_str(),
                 sizeof(progress.complaint) - 1);
    return;
  }
}

TEST(Mutations, NeitherCrashNorHangNorLeaveFiles) {
  const std::vector<std::string> originals = Originals();
  ASSERT_GT(originals.size(), 100U);
  void* shared = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& progress = *new (shared) Progress;
  const uint64_t first = Number("ONNX_EXPOSE_MUTATION_SEED", 1);
  const uint64_t last = first + Number("ONNX_EXPOSE_MUTATION_COUNT", 3000);
  for (uint64_t seed = first; seed < last; seed += kBatch) {
    const uint64_t count = std::min(kBatch, last - seed);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      RunBatch(originals, seed, count, progress);
      std::_Exit(progress.complaint[0] == '\0' ? 0 : 1);
    }
    int status = 0;
    struct rusage usage {};
    ASSERT_EQ(::wait4(child, &status, 0, &usage), child);
    SCOPED_TRACE(
        "again: ONNX_EXPOSE_MUTATION_COUNT=1 "
        "ONNX_EXPOSE_MUTATION_SEED=" +
        std::to_string(progress.seed));
    EXPECT_STREQ(progress.complaint, "");
    EXPECT_TRUE(WIFEXITED(status))
        << "died of " << ::strsignal(WTERMSIG(status));
    EXPECT_LT(usage.ru_maxrss, kMostKilobytes)
        << "kB of memory, in a batch of " << count;
    if (HasFailure()) break;
  }
  ::munmap(shared, sizeof(Progress));
}

}  // namespace
}  // namespace onnx_expose::testing

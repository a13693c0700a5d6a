#include "runtime/feed_sets.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "onnx_expose/tensor_files.h"
#include "runtime/feed_names.h"
#include "support/natural_order.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtensions[] = {".npy", ".npz", ".pb",
                                       ".png", ".jpg", ".jpeg"};

bool Exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool IsFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

fs::path TestInput(const fs::path& folder, size_t number) {
  return folder / fmt::format("input_{}.pb", number);
}

// A model without inputs has results alone.
bool IsTestData(const std::string& folder) {
  return Exists(TestInput(folder, 0)) ||
         Exists(fs::path(folder) / "output_0.pb");
}

// The folder's entries, in natural order.
std::vector<fs::path> Entries(const std::string& folder) {
  std::vector<fs::path> entries;
  try {
    for (const auto& entry : fs::directory_iterator(folder)) {
      entries.push_back(entry.path());
    }
  } catch (const fs::filesystem_error& problem) {
    throw Error(ExitCode::kInput, folder,
                {"can't read the folder: " + problem.code().message(), "", ""});
  }
  std::sort(entries.begin(), entries.end(),
            [](const fs::path& a, const fs::path& b) {
              return NaturallyLess(a.string(), b.string());
            });
  return entries;
}

std::vector<std::string> Matches(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  std::sort(paths.begin(), paths.end(), NaturallyLess);
  return paths;
}

// A folder of test_data_set_0, test_data_set_1, ... stands for these.
void AppendSets(const std::string& path, std::vector<std::string>& sets) {
  const size_t before = sets.size();
  if (IsFolder(path) && !IsTestData(path)) {
    for (const fs::path& entry : Entries(path)) {
      const bool is_set =
          entry.filename().string().starts_with("test_data_set_");
      if (is_set && IsFolder(entry)) sets.push_back(entry.string());
    }
  }
  if (sets.size() == before) sets.push_back(path);
}

std::vector<const InputInfo*> Needed(const std::vector<InputInfo>& inputs) {
  std::vector<const InputInfo*> needed;
  for (const InputInfo& input : inputs) {
    if (!input.has_default) needed.push_back(&input);
  }
  return needed;
}

using Items = std::map<std::string, SetItem>;

Items ListTestData(const std::vector<InputInfo>& inputs,
                   const std::string& folder) {
  const std::vector<const InputInfo*> needed = Needed(inputs);
  Items items;
  for (size_t i = 0; Exists(TestInput(folder, i)); ++i) {
    const std::string path = TestInput(folder, i).string();
    const InputInfo* input = i < needed.size() ? needed[i] : nullptr;
    std::string name;
    Data data = ReadPb(path, input == nullptr ? "" : input->type, &name);
    const InputInfo* named = InputNamed(inputs, name);
    if (named != nullptr && named != input) {
      if (input != nullptr && input->kind != named->kind) {
        data = ReadPb(path, named->type, nullptr);
      }
      input = named;
    }
    if (input == nullptr) {
      throw Error(ExitCode::kInput, path,
                  {fmt::format("there is no input for this: the model has {} "
                               "without a default",
                               Counted(needed.size(), "input")),
                   "", ""});
    }
    if (!items.emplace(input->name, SetItem{{path, ""}, std::move(data)})
             .second) {
      throw Error(
          ExitCode::kInput, path,
          {fmt::format("a second value for the input {}", Quoted(input->name)),
           "", ""});
    }
  }
  return items;
}

Items ListFolder(const std::vector<InputInfo>& inputs,
                 const std::string& folder, std::vector<std::string>& strays) {
  Items items;
  std::set<fs::path> used;
  for (const InputInfo& input : inputs) {
    for (const char* extension : kExtensions) {
      const fs::path path = fs::path(folder) / (input.name + extension);
      if (input.name.empty() || !Exists(path)) continue;
      used.insert(path);
      const auto [item, is_new] =
          items.emplace(input.name, SetItem{{path.string(), ""}, {}});
      if (is_new) continue;
      throw Error(
          ExitCode::kInput, path.string(),
          {fmt::format("a second value for the input {}, besides {}",
                       Quoted(input.name), Quoted(item->second.file.path)),
           "", ""});
    }
  }
  for (const fs::path& entry : Entries(folder)) {
    const bool is_known =
        std::find(std::begin(kExtensions), std::end(kExtensions),
                  entry.extension().string()) != std::end(kExtensions);
    if (is_known && used.count(entry) == 0) {
      strays.push_back(entry.stem().string());
    }
  }
  return items;
}

Items ListNpz(const std::vector<InputInfo>& inputs, const std::string& path,
              std::vector<std::string>& strays) {
  Items items;
  const std::vector<std::string> members = NpzFile(path).Members();
  for (const std::string& member : members) {
    if (InputNamed(inputs, member) != nullptr) {
      items.emplace(member, SetItem{{path, member}, {}});
    } else {
      strays.push_back(member);
    }
  }
  // numpy.savez(file, x) calls its only member arr_0.
  const std::vector<const InputInfo*> needed = Needed(inputs);
  if (items.empty() && members.size() == 1 && needed.size() == 1) {
    items.emplace(needed[0]->name, SetItem{{path, members[0]}, {}});
    strays.clear();
  }
  return items;
}

Items ListSingleFile(const std::vector<InputInfo>& inputs,
                     const std::string& path) {
  const std::vector<const InputInfo*> needed = Needed(inputs);
  if (needed.size() != 1) {
    throw Error(ExitCode::kInput, path,
                {fmt::format("one file can't be the value of {}",
                             Counted(needed.size(), "input")),
                 "",
                 "--input NAME=FILE gives one input a value; --inputs takes a "
                 "folder or an .npz keyed by name"});
  }
  return {{needed[0]->name, SetItem{{path, ""}, {}}}};
}

void CheckStrays(const std::vector<InputInfo>& inputs, const std::string& path,
                 const Items& items, const std::vector<std::string>& strays,
                 Warnings& warnings) {
  if (items.empty()) {
    throw Error(ExitCode::kInput, path,
                {"nothing in it is named after an input",
                 strays.empty() ? "" : "there is " + NameList(strays),
                 InputHint(inputs, "")});
  }
  if (strays.empty()) return;
  warnings.push_back({fmt::format("{}: {} belongs to no input", Printable(path),
                                  NameList(strays)),
                      "", InputHint(inputs, strays.front())});
}

}  // namespace

std::vector<std::string> ExpandSet(const std::string& what) {
  std::vector<std::string> sets;
  if (Exists(what)) {
    AppendSets(what, sets);
    return sets;
  }
  for (const std::string& path : Matches(what)) AppendSets(path, sets);
  if (sets.empty()) {
    const bool is_pattern = what.find_first_of("*?[") != std::string::npos;
    throw Error(ExitCode::kInput, what,
                {is_pattern ? "no file or folder fits this pattern"
                            : "there is no such file or folder",
                 "", ""});
  }
  return sets;
}

std::vector<std::string> SetNames(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& path : paths) {
    // "a/b/" and "." have names as well.
    const fs::path whole = fs::absolute(path).lexically_normal();
    const fs::path last = whole.has_filename() ? whole : whole.parent_path();
    const std::string base =
        IsFolder(path) ? last.filename().string() : last.stem().string();
    std::string name = base;
    for (int i = 2; !taken.insert(name).second; ++i) {
      name = fmt::format("{}_{}", base, i);
    }
    names.push_back(name);
  }
  return names;
}

Items ListSet(const std::vector<InputInfo>& inputs, const std::string& path,
              Warnings& warnings) {
  if (IsFolder(path) && IsTestData(path)) {
    return ListTestData(inputs, path);
  }
  Items items;
  std::vector<std::string> strays;
  if (IsFolder(path)) {
    items = ListFolder(inputs, path, strays);
  } else if (KindOfFeedFile(path) == FeedFileKind::kNpz) {
    items = ListNpz(inputs, path, strays);
  } else {
    return ListSingleFile(inputs, path);
  }
  CheckStrays(inputs, path, items, strays, warnings);
  return items;
}

}  // namespace onnx_expose

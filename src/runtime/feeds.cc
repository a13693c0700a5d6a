#include "onnx_expose/feeds.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "runtime/dim_sizes.h"
#include "runtime/feed_check.h"
#include "runtime/feed_files.h"
#include "runtime/feed_names.h"
#include "runtime/feed_sets.h"
#include "runtime/random_feeds.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// The options of this flag by input; each input at most once.
std::map<std::string, std::string> ByInput(
    const std::vector<InputInfo>& inputs, std::string_view flag,
    const std::vector<std::pair<std::string, std::string>>& options) {
  std::map<std::string, std::string> by_input;
  for (const auto& [name, what] : options) {
    FindInput(inputs, flag, name);
    if (!by_input.emplace(name, what).second) {
      throw Error(ExitCode::kUsage, "",
                  {fmt::format("{} is given twice for {}", flag, Quoted(name)),
                   "", ""});
    }
  }
  return by_input;
}

std::map<std::string, RandomRule> ParseRules(
    const std::vector<InputInfo>& inputs, const FeedOptions& options) {
  std::map<std::string, RandomRule> rules;
  for (const auto& [name, text] : ByInput(inputs, "--random", options.random)) {
    rules.emplace(name,
                  ParseRandomRule(FindInput(inputs, "--random", name), text));
  }
  return rules;
}

// Fills one FeedSet.
class SetBuilder {
 public:
  SetBuilder(const std::vector<InputInfo>& inputs, const FeedOptions& options,
             const FeedSource& source)
      : inputs_(inputs),
        options_(options),
        source_(source),
        rules_(ParseRules(inputs, options)),
        sizes_(inputs, options),
        data_(inputs.size()),
        sources_(inputs.size()) {}

  FeedSet Build() {
    std::map<std::string, SetItem> items;
    if (!source_.path.empty()) {
      items = ListSet(inputs_, source_.path, set_.warnings);
    }
    for (const auto& [name, text] :
         ByInput(inputs_, "--input", options_.files)) {
      items[name] = {ParseFeedFile(text), std::nullopt};
    }
    // Files without a shape last: the others may tell it.
    for (const bool with_shape : {true, false}) {
      for (size_t i = 0; i < inputs_.size(); ++i) {
        const auto item = items.find(inputs_[i].name);
        if (item == items.end()) continue;
        if (HasShape(KindOfFeedFile(item->second.file.path)) == with_shape) {
          Read(i, item->second);
        }
      }
    }
    MakeUpTheRest();
    set_.name = source_.name;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!data_[i].has_value()) continue;
      set_.feeds.push_back(
          {inputs_[i].name, std::move(*data_[i]), std::move(sources_[i])});
    }
    return std::move(set_);
  }

 private:
  void Read(size_t i, SetItem& item) {
    const InputInfo& input = inputs_[i];
    sources_[i] = item.file.Text();
    data_[i] =
        item.data.has_value()
            ? std::move(*item.data)
            : ReadFeedFile(input, item.file, sizes_.Known(input), options_);
    CheckFeed(input, sources_[i], *data_[i]);
    if (data_[i]->kind == Data::Kind::kTensor) {
      sizes_.Learn(input, sources_[i], data_[i]->tensor.shape, set_.warnings);
    }
  }

  void MakeUpTheRest() {
    std::vector<std::string> missing;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const InputInfo& input = inputs_[i];
      const auto given = rules_.find(input.name);
      const bool has_rule = given != rules_.end();
      if (data_[i].has_value() || (input.has_default && !has_rule)) continue;
      if (!has_rule) missing.push_back(input.name);
      const RandomRule rule = has_rule ? given->second : DefaultRule(input);
      data_[i] = RandomData(input, sizes_.Complete(input), rule,
                            FeedSeed(options_.seed, source_.name, input.name));
      sources_[i] = RuleText(rule);
      if (rule.kind != RandomRule::Kind::kConstant) {
        sources_[i] += fmt::format(", seed {}", options_.seed);
      }
    }
    sizes_.WarnOfOnes(set_.warnings);
    if (!source_.path.empty() && !missing.empty()) {
      set_.warnings.push_back(
          {fmt::format("{} has no value for {}: random ones are taken",
                       Printable(source_.path), NameList(missing)),
           "", ""});
    }
  }

  const std::vector<InputInfo>& inputs_;
  const FeedOptions& options_;
  const FeedSource& source_;
  const std::map<std::string, RandomRule> rules_;
  DimSizes sizes_;
  std::vector<std::optional<Data>> data_;  // by input, as is `sources_`
  std::vector<std::string> sources_;
  FeedSet set_;
};

}  // namespace

FeedPlan PlanFeeds(const std::vector<InputInfo>& inputs,
                   const FeedOptions& options) {
  ByInput(inputs, "--input", options.files);
  ParseRules(inputs, options);
  DimSizes(inputs, options);
  std::vector<std::string> paths;
  for (const std::string& what : options.sets) {
    for (std::string& path : ExpandSet(what)) paths.push_back(std::move(path));
  }
  if (paths.empty()) return {FeedSource{}};
  if (paths.size() == 1) return {FeedSource{"", paths[0]}};
  const std::vector<std::string> names = SetNames(paths);
  FeedPlan plan;
  for (size_t i = 0; i < paths.size(); ++i) {
    plan.push_back({names[i], paths[i]});
  }
  return plan;
}

FeedSet LoadFeeds(const std::vector<InputInfo>& inputs,
                  const FeedOptions& options, const FeedSource& source) {
  return SetBuilder(inputs, options, source).Build();
}

}  // namespace onnx_expose

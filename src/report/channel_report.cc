#include "report/channel_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "report/csv_text.h"
#include "report/table.h"
#include "support/json.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

struct Row {
  const ValueChannels* value;
  const Channel* channel;
};

bool IsFound(const Channel& channel) {
  return channel.dead || channel.weak || channel.duplicate_of.has_value();
}

const char* KindOf(const Channel& channel) {
  if (channel.dead) return "dead";
  if (channel.weak) return "weak";
  return channel.duplicate_of ? "duplicate" : "";
}

std::vector<Row> Ranked(const std::vector<ValueChannels>& values) {
  std::vector<Row> rows;
  for (const ValueChannels& value : values) {
    for (const Channel& channel : value.channels) {
      if (IsFound(channel)) rows.push_back({&value, &channel});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& x, const Row& y) {
    const auto key = [](const Channel& channel) {
      return std::make_tuple(!channel.dead, !channel.weak, channel.of_median);
    };
    return key(*x.channel) < key(*y.channel);
  });
  return rows;
}

}  // namespace

std::string ChannelTable(const std::vector<ValueChannels>& values,
                         size_t most) {
  std::vector<Row> rows = Ranked(values);
  if (most == 0) most = rows.size();
  const size_t left_out = rows.size() - std::min(rows.size(), most);
  rows.resize(rows.size() - left_out);
  Table table{{"VALUE", "NODE", "WEIGHT", "CHANNEL", "", "MEAN ABS",
               "OF MEDIAN", "ZEROS", "SATURATED", "LIKE"},
              {3, 5, 6, 7, 8, 9},
              {}};
  const auto percent = [](double share) {
    return share == 0 ? "" : fmt::format("{:.1f}%", 100 * share);
  };
  for (const auto& [value, channel] : rows) {
    table.rows.push_back(
        {Printable(value->name), Printable(value->node),
         Printable(value->weight), fmt::format("{}", channel->number),
         KindOf(*channel), fmt::format("{:.4g}", channel->mean_abs),
         fmt::format("{:.3g}", channel->of_median), percent(channel->zeros),
         percent(channel->saturated),
         channel->duplicate_of ? fmt::format("{}", *channel->duplicate_of)
                               : ""});
  }
  std::string text = TableText(table);
  if (left_out > 0) text += fmt::format("... and {} more\n", left_out);
  return text;
}

std::string ChannelSummary(const std::vector<ValueChannels>& values) {
  size_t dead = 0;
  size_t weak = 0;
  size_t alike = 0;
  size_t all = 0;
  for (const ValueChannels& value : values) {
    all += value.channels.size();
    for (const Channel& channel : value.channels) {
      dead += channel.dead ? 1 : 0;
      weak += channel.weak ? 1 : 0;
      alike += channel.duplicate_of ? 1 : 0;
    }
  }
  return fmt::format("{} dead, {} weak and {} near-duplicate of {} in {}", dead,
                     weak, alike, Counted(all, "channel"),
                     Counted(values.size(), "value"));
}

std::string ChannelJson(const std::vector<ValueChannels>& values,
                        const std::string& path) {
  Json json = {{"schema", 1}, {"dump", path}};
  json["values"] = Json::array();
  for (const ValueChannels& value : values) {
    Json entry = {{"name", value.name}, {"op_type", value.op_type},
                  {"node", value.node}, {"weight", value.weight},
                  {"axis", value.axis}, {"elements", value.elements}};
    entry["channels"] = Json::array();
    for (const Channel& channel : value.channels) {
      entry["channels"].push_back(
          {{"channel", channel.number},
           {"kind", KindOf(channel)},
           {"mean_abs", channel.mean_abs},
           {"of_median", std::isfinite(channel.of_median)
                             ? Json(channel.of_median)
                             : Json()},
           {"zeros", channel.zeros},
           {"saturated", channel.saturated},
           {"duplicate_of",
            channel.duplicate_of ? Json(*channel.duplicate_of) : Json()}});
    }
    json["values"].push_back(std::move(entry));
  }
  return JsonText(json, -1) + "\n";
}

std::string ChannelCsv(const std::vector<ValueChannels>& values) {
  std::string text =
      "name,op_type,node,weight,axis,channel,kind,mean_abs,of_median,zeros,"
      "saturated,duplicate_of\n";
  for (const ValueChannels& value : values) {
    for (const Channel& channel : value.channels) {
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{}\n", CsvCell(value.name),
          CsvCell(value.op_type), CsvCell(value.node), CsvCell(value.weight),
          value.axis, channel.number, KindOf(channel), channel.mean_abs,
          channel.of_median, channel.zeros, channel.saturated,
          channel.duplicate_of ? fmt::format("{}", *channel.duplicate_of) : "");
    }
  }
  return text;
}

}  // namespace onnx_expose

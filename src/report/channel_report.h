#ifndef ONNX_EXPOSE_REPORT_CHANNEL_REPORT_H_
#define ONNX_EXPOSE_REPORT_CHANNEL_REPORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "onnx_expose/channels.h"

namespace onnx_expose {

// Dead channels, then weak ones, then near-duplicates, for people; at most
// `most` rows (0: all), a last line says how many more there are.
std::string ChannelTable(const std::vector<ValueChannels>& values, size_t most);

// "3 dead, 2 weak and 1 near-duplicate of 512 channels in 12 values"
std::string ChannelSummary(const std::vector<ValueChannels>& values);

// Everything, of all channels.
std::string ChannelJson(const std::vector<ValueChannels>& values,
                        const std::string& path);
std::string ChannelCsv(const std::vector<ValueChannels>& values);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_CHANNEL_REPORT_H_

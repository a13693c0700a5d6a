#ifndef ONNX_EXPOSE_CLI_FLAG_VALUES_H_
#define ONNX_EXPOSE_CLI_FLAG_VALUES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnx_expose::cli {

// The functions below throw Error(kUsage) that names the flag and, where it
// helps, its form.

// "NAME=VALUE", split at the last '=': names may hold one.
std::pair<std::string, std::string> SplitAssignment(std::string_view flag,
                                                    std::string_view text,
                                                    std::string_view form);

// A whole number; its range is judged by whoever uses it.
int64_t ParseNumber(std::string_view flag, std::string_view text);

// A finite number from `least` to `most`.
double ParseReal(std::string_view flag, std::string_view text, double least,
                 double most);

// "1,3,224,224"
std::vector<int64_t> ParseNumbers(std::string_view flag, std::string_view text);

// A number of bytes: "512M", "2G", "1.5G", "100000"; K, M, G, T are powers of
// 1024, with or without "iB" or "B" behind. At least 1.
uint64_t ParseSize(std::string_view flag, std::string_view text);

// The position of `text` among `choices`.
size_t ParseChoice(std::string_view flag, std::string_view text,
                   const std::vector<std::string>& choices);

// The names in a file of one name a line. Lines that are empty or begin with
// '#' don't count; nor do carriage returns at their ends. Throws Error(kInput)
// when the file can't be read.
std::vector<std::string> ReadNames(const std::string& path);

// Whether the environment variable says 1, true, yes or on, in any case.
bool IsSwitchedOn(const std::string& variable);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_FLAG_VALUES_H_

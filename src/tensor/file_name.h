#ifndef ONNX_EXPOSE_TENSOR_FILE_NAME_H_
#define ONNX_EXPOSE_TENSOR_FILE_NAME_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace onnx_expose {

// A file for a value, without its ending: "0007_<readable part>_<8 hex>",
// ASCII without separators, at most 80 characters. Different for each index;
// the hex digits tell names apart whose readable part is the same.
std::string FileStem(int index, std::string_view name, std::string_view scope);

// The same for an input: "input_0000_x_2d711642".
std::string InputStem(size_t index, std::string_view name);

// Whether a name could be one of a dump's tensor files.
bool IsTensorFileName(std::string_view name);

// The one file of a dump in npz format.
inline constexpr std::string_view kValuesFile = "values.npz";

// What the value is called inside of that file: its name where numpy finds it
// under that, else the file's stem.
std::string MemberName(std::string_view name, const std::string& stem);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_FILE_NAME_H_

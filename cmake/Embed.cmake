# Makes a C++ source of files: cmake -DOUTPUT=page_files.cc -DFILES=a.js;b.css -P Embed.cmake
# What comes out defines PageFile of src/report/page_files.h.
set(arrays "")
set(table "")
set(number 0)
foreach(path IN LISTS FILES)
  get_filename_component(name ${path} NAME)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {\n${bytes}\n};\n")
  string(APPEND table "  if (name == \"${name}\") return View(kFile${number});\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Made by cmake/Embed.cmake.
#include <cstddef>

#include \"report/page_files.h\"

namespace onnx_expose {
namespace {

${arrays}
template <size_t kSize>
std::string_view View(const unsigned char (&bytes)[kSize]) {
  return {reinterpret_cast<const char*>(bytes), kSize};
}

}  // namespace

std::string_view PageFile(std::string_view name) {
${table}  return {};
}

}  // namespace onnx_expose
")

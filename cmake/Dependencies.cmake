# Where every dependency comes from: what the system has is used first; only ONNX, of which no distribution has a
# recent enough version, is otherwise built by third_party/onnx/build.sh into a cache outside of the build tree.
#
# protobuf, RE2, fmt, zlib, libdeflate and OpenSSL's libcrypto are linked statically, so that the tool can be copied to another machine as one file.

find_package(Threads REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)

# onnx_expose_library(RESULT NAME): path of libNAME.a, or of the shared library where there is no static one.
function(onnx_expose_library result name)
  find_library(${result} NAMES lib${name}.a ${name})
  if(NOT ${result})
    message(FATAL_ERROR "lib${name} not found: scripts/quickstart.sh installs everything that is needed")
  endif()
  mark_as_advanced(${result})
endfunction()

# protobuf: the FindProtobuf module and not protobuf's own config, because the ONNX package asks for the same.
set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf 3.12 MODULE REQUIRED)

# RE2: Debian 12 has no CMake package for it.
onnx_expose_library(RE2_LIBRARY re2)
find_path(RE2_INCLUDE_DIR re2/re2.h REQUIRED)
add_library(onnx_expose_deps_re2 INTERFACE)
add_library(onnx_expose_deps::re2 ALIAS onnx_expose_deps_re2)
target_include_directories(onnx_expose_deps_re2 SYSTEM INTERFACE $<BUILD_INTERFACE:${RE2_INCLUDE_DIR}>)
target_link_libraries(onnx_expose_deps_re2 INTERFACE ${RE2_LIBRARY} Threads::Threads)

# For npz files zlib, which compresses piece by piece, and libdeflate, which does the rest several times as fast; libcrypto
# for SHA-256: found here, for CMake's own modules prefer the shared libraries.
onnx_expose_library(ZLIB_STATIC_LIBRARY z)
find_path(ZLIB_INCLUDE_DIR zlib.h REQUIRED)
onnx_expose_library(DEFLATE_LIBRARY deflate)
find_path(DEFLATE_INCLUDE_DIR libdeflate.h REQUIRED)
onnx_expose_library(CRYPTO_LIBRARY crypto)
find_path(CRYPTO_INCLUDE_DIR openssl/sha.h REQUIRED)
foreach(name IN ITEMS ZLIB DEFLATE CRYPTO)
  mark_as_advanced(${name}_INCLUDE_DIR)
endforeach()
add_library(onnx_expose_deps_zlib INTERFACE)
add_library(onnx_expose_deps::zlib ALIAS onnx_expose_deps_zlib)
target_include_directories(onnx_expose_deps_zlib SYSTEM INTERFACE
  $<BUILD_INTERFACE:${ZLIB_INCLUDE_DIR}> $<BUILD_INTERFACE:${DEFLATE_INCLUDE_DIR}>)
target_link_libraries(onnx_expose_deps_zlib INTERFACE ${ZLIB_STATIC_LIBRARY} ${DEFLATE_LIBRARY})
add_library(onnx_expose_deps_crypto INTERFACE)
add_library(onnx_expose_deps::crypto ALIAS onnx_expose_deps_crypto)
target_include_directories(onnx_expose_deps_crypto SYSTEM INTERFACE $<BUILD_INTERFACE:${CRYPTO_INCLUDE_DIR}>)
target_link_libraries(onnx_expose_deps_crypto INTERFACE ${CRYPTO_LIBRARY} ${CMAKE_DL_LIBS} Threads::Threads)

# libevent: the HTTP server of `serve`.
onnx_expose_library(EVENT_EXTRA_LIBRARY event_extra)
onnx_expose_library(EVENT_CORE_LIBRARY event_core)
find_path(EVENT_INCLUDE_DIR event2/http.h REQUIRED)
mark_as_advanced(EVENT_INCLUDE_DIR)
add_library(onnx_expose_deps_event INTERFACE)
add_library(onnx_expose_deps::event ALIAS onnx_expose_deps_event)
target_include_directories(onnx_expose_deps_event SYSTEM INTERFACE $<BUILD_INTERFACE:${EVENT_INCLUDE_DIR}>)
target_link_libraries(onnx_expose_deps_event INTERFACE ${EVENT_EXTRA_LIBRARY} ${EVENT_CORE_LIBRARY})

# fmt: its static library, or (Debian) that library compiled here, or else the headers alone.
find_package(fmt 9 REQUIRED)
find_library(FMT_STATIC_LIBRARY libfmt.a)
mark_as_advanced(FMT_STATIC_LIBRARY)
get_target_property(fmt_include_dir fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
if(NOT FMT_STATIC_LIBRARY AND fmt_VERSION VERSION_LESS 10)
  add_library(onnx_expose_fmt STATIC third_party/fmt/fmt.cc)
  target_include_directories(onnx_expose_fmt SYSTEM PUBLIC $<BUILD_INTERFACE:${fmt_include_dir}>)
else()
  add_library(onnx_expose_fmt INTERFACE)
  if(FMT_STATIC_LIBRARY)
    target_include_directories(onnx_expose_fmt SYSTEM INTERFACE $<BUILD_INTERFACE:${fmt_include_dir}>)
    target_link_libraries(onnx_expose_fmt INTERFACE ${FMT_STATIC_LIBRARY})
  else()
    target_link_libraries(onnx_expose_fmt INTERFACE fmt::fmt-header-only)
  endif()
endif()
add_library(onnx_expose_deps::fmt ALIAS onnx_expose_fmt)

# stb: one header, compiled within src/tensor/image_pixels.cc.
find_path(STB_INCLUDE_DIR stb_image.h PATH_SUFFIXES stb REQUIRED)
mark_as_advanced(STB_INCLUDE_DIR)
add_library(onnx_expose_stb INTERFACE)
target_include_directories(onnx_expose_stb SYSTEM INTERFACE ${STB_INCLUDE_DIR})

# uPlot: the charts of the report's page, two files.
set(UPLOT_FOLDER "" CACHE PATH "Folder with uPlot.iife.min.js and uPlot.min.css (empty: third_party/uplot/fetch.sh)")
if(NOT UPLOT_FOLDER)
  execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/third_party/uplot/fetch.sh
    OUTPUT_VARIABLE uplot_folder OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE uplot_failed)
  if(uplot_failed)
    message(FATAL_ERROR "uPlot is needed: name a folder that has it with -DUPLOT_FOLDER=...")
  endif()
  set(UPLOT_FOLDER ${uplot_folder})
endif()

# ONNX 1.20 or newer: older ones know neither the opsets of today nor the check for outputs that nobody computes.
find_package(ONNX 1.20 CONFIG QUIET)
if(NOT ONNX_FOUND)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env PROTOC=${Protobuf_PROTOC_EXECUTABLE} ${PROJECT_SOURCE_DIR}/third_party/onnx/build.sh
    OUTPUT_VARIABLE onnx_prefix OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE onnx_failed)
  if(onnx_failed)
    message(FATAL_ERROR "third_party/onnx/build.sh failed")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/third_party/onnx/build.sh ${PROJECT_SOURCE_DIR}/third_party/onnx/requirements.txt)
  # Not remembered in CMake's cache: a new pin must not be shadowed by what the last run found.
  unset(ONNX_DIR CACHE)
  find_package(ONNX 1.20 CONFIG REQUIRED PATHS ${onnx_prefix} NO_DEFAULT_PATH)
  set(onnx_dir ${ONNX_DIR})
  unset(ONNX_DIR CACHE)
  set(ONNX_DIR ${onnx_dir})
endif()
message(STATUS "ONNX ${ONNX_VERSION}: ${ONNX_DIR}")

# ONNX Runtime: only its headers; the library is loaded when the tool runs. Where they are not to be had (a system without
# a Debian mirror, a pinned version that the mirror no longer has) everything but run, bench and --probe is built.
find_path(ONNXRUNTIME_INCLUDE_DIR onnxruntime_cxx_api.h
  PATH_SUFFIXES onnxruntime onnxruntime/core/session)
if(NOT ONNXRUNTIME_INCLUDE_DIR)
  execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/third_party/onnxruntime/headers.sh
    OUTPUT_VARIABLE ONNXRUNTIME_INCLUDE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE headers_failed)
  if(headers_failed)
    set(ONNXRUNTIME_INCLUDE_DIR "")
    message(WARNING "No headers of ONNX Runtime: run, bench and --probe will say so. Install libonnxruntime-dev, or name "
      "the headers' folder with -DONNXRUNTIME_INCLUDE_DIR=DIR.")
  endif()
endif()
add_library(onnx_expose_ort INTERFACE)
if(ONNXRUNTIME_INCLUDE_DIR)
  target_include_directories(onnx_expose_ort SYSTEM INTERFACE $<BUILD_INTERFACE:${ONNXRUNTIME_INCLUDE_DIR}>)
endif()

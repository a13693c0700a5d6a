#ifndef ONNX_EXPOSE_TESTS_UNIT_RUNTIME_FEED_TESTING_H_
#define ONNX_EXPOSE_TESTS_UNIT_RUNTIME_FEED_TESTING_H_

#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/element_types.h"
#include "onnx_expose/feeds.h"

namespace onnx_expose::testing {

// A tensor input; a dim is its size or its symbol.
inline InputInfo Input(const std::string& name, const std::string& element,
                       const std::vector<std::string>& dims) {
  InputInfo input;
  input.name = name;
  input.element_type = ElementType(element);
  input.dims.emplace();
  input.type = element + "[";
  for (const std::string& dim : dims) {
    const bool is_size = !dim.empty() && dim[0] >= '0' && dim[0] <= '9';
    input.dims->push_back({is_size ? std::stoll(dim) : -1, is_size ? "" : dim});
    if (input.type.back() != '[') input.type += ",";
    input.type += dim.empty() ? "?" : dim;
  }
  input.type += "]";
  return input;
}

template <typename T>
std::vector<T> Elements(const Tensor& tensor) {
  std::vector<T> elements(tensor.bytes.size() / sizeof(T));
  if (!elements.empty()) {
    std::memcpy(elements.data(), tensor.bytes.data(), tensor.bytes.size());
  }
  return elements;
}

template <typename T>
Tensor TensorOf(const std::string& type, std::vector<int64_t> shape,
                const std::vector<T>& elements) {
  std::vector<std::byte> bytes(elements.size() * sizeof(T));
  if (!bytes.empty()) {
    std::memcpy(bytes.data(), elements.data(), bytes.size());
  }
  return MakeTensor(ElementType(type), std::move(shape), std::move(bytes));
}

// As numpy.save writes it; `type` is numpy's, "<f4".
template <typename T>
std::string Npy(const std::string& type, const std::vector<int64_t>& shape,
                const std::vector<T>& elements) {
  std::string dims;
  for (const int64_t size : shape) dims += std::to_string(size) + ",";
  std::string header = "{'descr': '" + type +
                       "', 'fortran_order': False, 'shape': (" + dims + "), }";
  header.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" +
         std::string(reinterpret_cast<const char*>(elements.data()),
                     elements.size() * sizeof(T));
}

// "FILE: what; note; hint" of the error that the call throws, with its code in
// front: "usage: ..." or "input: ...".
inline std::string Problem(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    const Message& message = error.message();
    std::string text = error.code() == ExitCode::kUsage   ? "usage: "
                       : error.code() == ExitCode::kInput ? "input: "
                                                          : "other: ";
    if (!error.file().empty()) text += error.file() + ": ";
    text += message.what;
    if (!message.note.empty()) text += "; " + message.note;
    if (!message.hint.empty()) text += "; " + message.hint;
    return text;
  }
  return "no error";
}

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_UNIT_RUNTIME_FEED_TESTING_H_

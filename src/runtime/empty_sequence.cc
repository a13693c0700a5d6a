#include "runtime/empty_sequence.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnx_expose {
namespace {

constexpr const char* kOutput = "y";

// A field of a protobuf message; `tag` is its number and kind.
std::string Field(char tag, std::string_view content) {
  return std::string{tag, static_cast<char>(content.size())}.append(content);
}

std::string Field(char tag, char number) { return {tag, number}; }

// A ModelProto of IR version 6 and opset 11 with one SequenceEmpty.
std::string Model(char element_type) {
  const std::string attribute = Field('\x0a', "dtype") +
                                Field('\x18', element_type) +
                                "\xa0\x01\x02";  // it is an integer
  const std::string node = Field('\x12', kOutput) +
                           Field('\x22', "SequenceEmpty") +
                           Field('\x2a', attribute);
  const std::string graph = Field('\x0a', node) + Field('\x12', "graph") +
                            Field('\x62', Field('\x0a', kOutput));
  return Field('\x08', '\6') + Field('\x3a', graph) +
         Field('\x42', Field('\x10', '\x0b'));
}

}  // namespace

Ort::Value EmptySequence(const Ort::Env& env, int element_type) {
  const std::string bytes = Model(static_cast<char>(element_type));
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(1);
  options.DisableCpuMemArena();
  Ort::Session session(env, bytes.data(), bytes.size(), options);
  std::vector<Ort::Value> results =
      session.Run(Ort::RunOptions{nullptr}, nullptr, nullptr, 0, &kOutput, 1);
  return std::move(results.front());
}

}  // namespace onnx_expose

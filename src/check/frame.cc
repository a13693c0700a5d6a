#include "check/frame.h"

namespace onnx_expose {

const onnx::TypeProto* Frame::FindType(std::string_view name) const {
  for (const Frame* frame = this; frame != nullptr; frame = frame->outer) {
    const auto found = frame->types.find(name);
    if (found != frame->types.end()) return &found->second;
  }
  return nullptr;
}

const onnx::AttributeProto* Frame::FindAttribute(std::string_view name) const {
  for (const Frame* frame = this; frame != nullptr; frame = frame->outer) {
    const auto found = frame->attributes.find(name);
    if (found != frame->attributes.end()) return found->second;
  }
  return nullptr;
}

bool Frame::IsAbsent(std::string_view name) const {
  for (const Frame* frame = this; frame != nullptr; frame = frame->outer) {
    if (frame->absent.count(name) > 0) return true;
  }
  return false;
}

bool Frame::IsSilenced() const {
  for (const Frame* frame = this; frame != nullptr; frame = frame->user) {
    if (frame->silenced) return true;
  }
  return false;
}

int Frame::Call() const {
  for (const Frame* frame = this; frame != nullptr; frame = frame->user) {
    if (frame->call >= 0) return frame->call;
  }
  return -1;
}

}  // namespace onnx_expose

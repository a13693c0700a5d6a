#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>

#include "onnx_expose/error.h"
#include "onnx_expose/value_types.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

using onnx::TypeProto;

// Types nest; nobody writes one deeper than this.
constexpr int kDeepest = 16;

std::string ShapeText(const onnx::TensorShapeProto& shape) {
  std::string text = "[";
  for (int i = 0; i < shape.dim_size(); ++i) {
    const auto& dim = shape.dim(i);
    if (i > 0) text += ",";
    if (dim.has_dim_value()) {
      text += fmt::format("{}", dim.dim_value());
    } else if (dim.has_dim_param() && !dim.dim_param().empty()) {
      text += dim.dim_param();
    } else {
      text += "?";
    }
  }
  return text + "]";
}

template <typename Tensor>
std::string TensorText(const Tensor& tensor) {
  return ElementName(tensor.elem_type()) +
         (tensor.has_shape() ? ShapeText(tensor.shape()) : "");
}

class TypeParser {
 public:
  explicit TypeParser(std::string_view text) : text_(text) {}

  TypeProto Parse() {
    TypeProto type = ParseOne(0);
    if (at_ != text_.size()) Fail("unexpected text");
    return type;
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw Error(ExitCode::kUsage, "",
                {fmt::format("{} in type {} at character {}", what,
                             Quoted(text_), at_ + 1),
                 "", "types look like float[1,N,?], int64[], seq(float[2])"});
  }

  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void Expect(char c) {
    if (!Take(c)) Fail(fmt::format("'{}' expected", c));
  }

  std::string_view Word() {
    const size_t end =
        std::min(text_.find_first_of("[](),", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }

  TypeProto ParseOne(int depth) {
    if (depth > kDeepest) Fail("too many levels");
    TypeProto type;
    const std::string_view word = Word();
    if (!Take('(')) {
      auto* tensor = type.mutable_tensor_type();
      tensor->set_elem_type(ElementType(word));
      if (Take('[')) ParseShape(*tensor->mutable_shape());
      return type;
    }
    if (word == "seq") {
      *type.mutable_sequence_type()->mutable_elem_type() = ParseOne(depth + 1);
    } else if (word == "optional") {
      *type.mutable_optional_type()->mutable_elem_type() = ParseOne(depth + 1);
    } else if (word == "sparse") {
      auto* sparse = type.mutable_sparse_tensor_type();
      sparse->set_elem_type(ElementType(Word()));
      if (Take('[')) ParseShape(*sparse->mutable_shape());
    } else if (word == "map") {
      type.mutable_map_type()->set_key_type(ElementType(Word()));
      Expect(',');
      *type.mutable_map_type()->mutable_value_type() = ParseOne(depth + 1);
    } else {
      at_ -= word.size() + 1;
      Fail("seq, optional, map or sparse expected");
    }
    Expect(')');
    return type;
  }

  void ParseShape(onnx::TensorShapeProto& shape) {
    if (Take(']')) return;
    do {
      auto& dim = *shape.add_dim();
      const std::string_view word = Word();
      if (word.empty()) Fail("a dim expected");
      if (word == "?") continue;
      int64_t number = 0;
      const auto [end, error] =
          std::from_chars(word.data(), word.data() + word.size(), number);
      if (error != std::errc() || end != word.data() + word.size()) {
        if (word[0] == '-' || (word[0] >= '0' && word[0] <= '9')) {
          Fail("a size, a symbol or ? expected as dim");
        }
        dim.set_dim_param(std::string(word));
      } else if (number < 0) {
        Fail("a negative dim");
      } else {
        dim.set_dim_value(number);
      }
    } while (Take(','));
    Expect(']');
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::string TypeText(const TypeProto& type) {
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return TensorText(type.tensor_type());
    case TypeProto::kSparseTensorType:
      return fmt::format("sparse({})", TensorText(type.sparse_tensor_type()));
    case TypeProto::kSequenceType:
      return fmt::format("seq({})", TypeText(type.sequence_type().elem_type()));
    case TypeProto::kOptionalType:
      return fmt::format("optional({})",
                         TypeText(type.optional_type().elem_type()));
    case TypeProto::kMapType:
      return fmt::format("map({},{})", ElementName(type.map_type().key_type()),
                         TypeText(type.map_type().value_type()));
    case TypeProto::kOpaqueType:
      return fmt::format("opaque({},{})", type.opaque_type().domain(),
                         type.opaque_type().name());
    case TypeProto::VALUE_NOT_SET:
      break;
  }
  return "?";
}

TypeProto ParseType(std::string_view text) { return TypeParser(text).Parse(); }

bool HasElementType(const TypeProto& type) {
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return type.tensor_type().elem_type() != 0;
    case TypeProto::kSparseTensorType:
      return type.sparse_tensor_type().elem_type() != 0;
    case TypeProto::kSequenceType:
      return HasElementType(type.sequence_type().elem_type());
    case TypeProto::kOptionalType:
      return HasElementType(type.optional_type().elem_type());
    case TypeProto::kMapType:
      return type.map_type().key_type() != 0 &&
             HasElementType(type.map_type().value_type());
    case TypeProto::kOpaqueType:
    case TypeProto::VALUE_NOT_SET:
      break;
  }
  return false;
}

bool HasRank(const TypeProto& type) {
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return type.tensor_type().has_shape();
    case TypeProto::kSparseTensorType:
      return type.sparse_tensor_type().has_shape();
    case TypeProto::kSequenceType:
      return HasRank(type.sequence_type().elem_type());
    case TypeProto::kOptionalType:
      return HasRank(type.optional_type().elem_type());
    case TypeProto::kMapType:
      return HasRank(type.map_type().value_type());
    case TypeProto::kOpaqueType:
    case TypeProto::VALUE_NOT_SET:
      break;
  }
  return false;
}

}  // namespace onnx_expose

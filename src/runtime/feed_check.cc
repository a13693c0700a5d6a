#include "runtime/feed_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "onnx_expose/element_types.h"
#include "support/text.h"
#include "tensor/data_text.h"
#include "tensor/element_bits.h"
#include "tensor/packing.h"

namespace onnx_expose {
namespace {

// What is wrong with one tensor.
class Complaint {
 public:
  Complaint(const InputInfo& input, const std::string& source,
            const Tensor& tensor)
      : input_(input), source_(source), tensor_(tensor) {}

  [[noreturn]] void Throw(const std::string& why,
                          const std::string& hint = "") const {
    Data given;
    given.tensor = tensor_;
    throw Error(ExitCode::kInput, source_,
                {fmt::format("input {} is {}, this is {}", Quoted(input_.name),
                             Printable(input_.type), DataText(given, "")),
                 why, hint});
  }

 private:
  const InputInfo& input_;
  const std::string& source_;
  const Tensor& tensor_;
};

// How numpy makes this type out of another array x; empty if it has none.
std::string NumpyCall(int type) {
  if (type == kFloat) return "x.astype(numpy.float32)";
  if (type == kDouble) return "x.astype(numpy.float64)";
  if (type == kString) return "x.astype(str)";
  if (type == kBfloat16) {
    return "x.astype(ml_dtypes.bfloat16).view(numpy.uint16)";
  }
  const std::string name = ElementName(type);
  if (name.starts_with("float8")) return "uint8 is taken as the raw bits";
  if (IsPacked(type)) {
    return "one uint8 or int8 an element is taken as the raw bits";
  }
  return fmt::format("x.astype(numpy.{}{})", name, name == "bool" ? "_" : "");
}

// One byte an element -> as many bits as the type has.
void PackBytes(const Complaint& complaint, int type, Tensor& tensor) {
  const int width = ElementBits(type);
  const bool is_signed = tensor.type == kInt8;
  const int count = 1 << width;
  for (size_t i = 0; i < tensor.bytes.size(); ++i) {
    const auto byte = std::to_integer<int>(tensor.bytes[i]);
    const int value = is_signed && byte > 127 ? byte - 256 : byte;
    if (value >= count || value < -count / 2) {
      complaint.Throw(fmt::format("element {} is {}, too large for {} bits", i,
                                  value, width));
    }
  }
  std::vector<int64_t> shape = tensor.shape;
  tensor = MakeTensor(type, std::move(shape), Pack(type, tensor.bytes));
}

void CheckType(const Complaint& complaint, const InputInfo& input,
               Tensor& tensor) {
  const int wanted = input.element_type;
  if (tensor.type == wanted || wanted == 0) return;
  const int width = ElementBits(wanted);
  const bool is_byte = tensor.type == kUint8 || tensor.type == kInt8;
  if ((wanted == kBfloat16 && tensor.type == kUint16) ||
      (width == 8 && IsFloatType(wanted) && tensor.type == kUint8)) {
    tensor.type = wanted;
  } else if (IsPacked(wanted) && is_byte) {
    PackBytes(complaint, wanted, tensor);
  } else {
    complaint.Throw("", NumpyCall(wanted));
  }
}

bool Fits(const InputInfo::Dim& dim, int64_t size) {
  return dim.size < 0 || dim.size == size;
}

// The dims in the order that fits: pictures often come with their channels
// last. Empty if none of the usual orders does.
std::string FittingTranspose(const std::vector<InputInfo::Dim>& dims,
                             const std::vector<int64_t>& shape) {
  const std::vector<std::vector<size_t>> orders = {
      {0, 3, 1, 2}, {0, 2, 3, 1}, {2, 0, 1}, {1, 2, 0}, {1, 0}, {0, 2, 1}};
  for (const auto& order : orders) {
    if (order.size() != dims.size()) continue;
    bool fits = true;
    for (size_t i = 0; i < order.size(); ++i) {
      fits = fits && Fits(dims[i], shape[order[i]]);
    }
    if (fits) return fmt::format("x.transpose({})", Joined(order, ", "));
  }
  return "";
}

void CheckShape(const Complaint& complaint, const InputInfo& input,
                const std::vector<int64_t>& shape) {
  if (!input.dims.has_value()) return;
  const std::vector<InputInfo::Dim>& dims = *input.dims;
  if (dims.size() != shape.size()) {
    complaint.Throw(fmt::format("it has {} instead of {}",
                                Counted(shape.size(), "dim"), dims.size()),
                    dims.size() == shape.size() + 1
                        ? "x[numpy.newaxis] puts a dim of 1 in front"
                        : "");
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    if (Fits(dims[i], shape[i])) continue;
    complaint.Throw(
        fmt::format("dim {} is {} instead of {}", i, shape[i], dims[i].size),
        FittingTranspose(dims, shape));
  }
}

void CheckTensor(const InputInfo& input, const std::string& source,
                 Tensor& tensor) {
  const Complaint complaint(input, source, tensor);
  CheckType(complaint, input, tensor);
  CheckShape(complaint, input, tensor.shape);
}

}  // namespace

void CheckFeed(const InputInfo& input, const std::string& source, Data& data) {
  using Kind = InputInfo::Kind;
  if (data.kind == Data::Kind::kNone && input.optional) return;
  const bool fits =
      input.kind == Kind::kOther ||
      (input.kind == Kind::kTensor && data.kind == Data::Kind::kTensor) ||
      (input.kind == Kind::kSequence && data.kind == Data::Kind::kSequence) ||
      (input.kind == Kind::kMap && data.kind == Data::Kind::kMap);
  if (!fits) {
    throw Error(ExitCode::kInput, source,
                {fmt::format("input {} is {}, this is {}", Quoted(input.name),
                             Printable(input.type), DataText(data, "")),
                 "", ""});
  }
  if (input.kind == Kind::kTensor) CheckTensor(input, source, data.tensor);
  if (input.kind != Kind::kSequence) return;
  for (Data& part : data.parts) {
    if (part.kind == Data::Kind::kTensor) {
      CheckTensor(input, source, part.tensor);
    }
  }
  if (data.element_type == 0) data.element_type = input.element_type;
}

}  // namespace onnx_expose

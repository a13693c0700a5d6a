#include "report/value_elements.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

bool IsPicture(const std::optional<Data>& data) {
  return data && data->kind == Data::Kind::kTensor &&
         IsNumber(data->tensor.type) && ElementCount(data->tensor.shape) > 0;
}

std::vector<std::string> FirstElements(const std::optional<Data>& data) {
  constexpr size_t kMost = 24;
  if (!data || data->kind != Data::Kind::kTensor) return {};
  const Tensor& tensor = data->tensor;
  std::vector<std::string> texts(
      tensor.strings.begin(),
      tensor.strings.begin() +
          static_cast<std::ptrdiff_t>(std::min(kMost, tensor.strings.size())));
  if (!IsPicture(data)) return texts;
  std::vector<double> numbers(
      std::min<uint64_t>(kMost, ElementCount(tensor.shape)));
  ToDoubles(tensor, 0, numbers.size(), numbers.data());
  for (const double number : numbers) {
    texts.push_back(fmt::format("{:.6g}", number));
  }
  return texts;
}

}  // namespace

ValueElements ReduceElements(const ReportSubject& subject,
                             const ReportSubject::Value& value,
                             uint64_t budget) {
  const std::string& op = value.any().op_type;
  const std::optional<Data> a = subject.ReadA(value);
  const std::optional<Data> b =
      subject.folders().size() == 2 ? subject.ReadB(value) : std::nullopt;
  ValueElements elements;
  elements.view = GuessView(op, value.any().shape);
  const auto plan = [&](const Tensor& tensor) {
    return PlanReduction(tensor.shape, GuessView(op, tensor.shape), budget);
  };
  if (IsPicture(a)) elements.a = Reduce(a->tensor, plan(a->tensor));
  if (IsPicture(b)) elements.b = Reduce(b->tensor, plan(b->tensor));
  if (IsPicture(a) && IsPicture(b) && a->tensor.shape == b->tensor.shape) {
    elements.difference =
        ReduceDifference(a->tensor, b->tensor, plan(a->tensor));
  }
  elements.first_a = FirstElements(a);
  elements.first_b = FirstElements(b);
  return elements;
}

}  // namespace onnx_expose

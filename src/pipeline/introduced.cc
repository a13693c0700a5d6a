#include "pipeline/introduced.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "onnx_expose/element_types.h"
#include "onnx_expose/submodel.h"
#include "pipeline/compared_model.h"
#include "pipeline/feed_types.h"
#include "pipeline/runnable.h"
#include "tensor/element_bits.h"
#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

// Floating point of another width.
Tensor Converted(const Tensor& tensor, int type) {
  const uint64_t count = ElementCount(tensor.shape);
  std::vector<double> numbers(count);
  ToDoubles(tensor, 0, count, numbers.data());
  std::vector<std::byte> bytes(DataBytes(type, count));
  const auto size = static_cast<size_t>(ElementBits(type) / 8);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t bits = FloatBits(type, numbers[i]);
    std::memcpy(&bytes[i * size], &bits, size);
  }
  return MakeTensor(type, tensor.shape, std::move(bytes));
}

// The numbers that integers of a quantised value stand for; other values stay.
void Dequantize(const ComparedModel& model, const std::string& name,
                Data& data) {
  const auto scale = model.QuantizationOf(name);
  if (scale && !IsFloatType(data.tensor.type)) {
    data.tensor = onnx_expose::Dequantize(data.tensor, *scale);
  }
}

class Introduced {
 public:
  Introduced(const CompareModelsRequest& request, const ValueSource& a,
             const ValueSource& b)
      : request_(request),
        a_(request.model_a, a),
        b_(request.model_b, b),
        a_values_(a),
        runtime_(request.run.libraries),
        scratch_(request.folder) {}

  void AddTo(CompareResult& result) {
    for (const ComparedValue& value : result.values) {
      if (!value.name_a.empty() && !value.name_b.empty() &&
          value.scope.empty()) {
        partners_.emplace(value.name_a, value.name_b);
      }
    }
    for (ComparedValue& value : result.values) {
      if (!partners_.contains(value.name_a) || value.name_b.empty()) continue;
      value.introduced = Of(value);
    }
  }

 private:
  // The number that B has where A has `name`, as A's nodes want it.
  std::optional<Data> Reference(const std::string& name) {
    const auto partner = partners_.find(name);
    if (partner == partners_.end()) return {};
    const auto entry_a = a_.Find(name);
    const auto entry_b = b_.Find(partner->second);
    if (!entry_a || !entry_b) return {};
    const Data mine = a_.Read(*entry_a);
    Data data = b_.Read(*entry_b);
    if (mine.kind != data.kind) return {};
    if (mine.kind != Data::Kind::kTensor) return data;
    if (mine.tensor.shape != data.tensor.shape) return {};
    const int type = mine.tensor.type;
    Dequantize(b_, partner->second, data);
    if (data.tensor.type == type) return data;
    if (!IsFloatType(data.tensor.type)) return {};
    const auto scale = a_.QuantizationOf(name);
    if (IsFloatType(type) && ElementBits(type) >= 8) {
      data.tensor = Converted(data.tensor, type);
    } else if (scale && scale->scale.size() == 1 && ElementBits(type) >= 8) {
      data.tensor = Quantize(data.tensor, *scale, type);
    } else {
      return {};
    }
    return data;
  }

  std::optional<Data> InputOfRun(const std::string& name) {
    for (const Manifest* manifest : a_values_.manifests()) {
      auto input = ReadDumpedInput(request_.folder + "/a", *manifest, name);
      if (input) return input;
    }
    return {};
  }

  std::optional<double> Of(const ComparedValue& value) {
    const GraphIndex& index = a_.index();
    std::map<std::string, Data> fed;
    const std::vector<int> nodes = a_.NodesBefore(value.name_a, [&](int input) {
      const std::string name(index.values()[static_cast<size_t>(input)].name);
      if (fed.contains(name)) return true;
      std::optional<Data> data = Reference(name);
      if (!data) return false;
      fed.emplace(name, std::move(*data));
      return true;
    });
    if (nodes.empty()) return {};
    SubmodelOptions options;
    options.nodes = nodes;
    options.outputs = {value.name_a};
    std::vector<Feed> feeds;
    for (const std::string& name : InputsOf(index, nodes)) {
      if (!fed.contains(name)) {
        std::optional<Data> input = InputOfRun(name);
        if (!input) return {};
        fed.emplace(name, std::move(*input));
      }
      options.inputs.emplace_back(name, TypeOf(fed.at(name), {}));
      feeds.push_back({name, fed.at(name), ""});
    }
    try {
      const Skeleton part = ExtractSubmodel(a_.model(), index, options);
      Session session(runtime_, Runnable(part, runtime_, scratch_),
                      request_.run.session);
      Data made = session.Run(feeds, {value.name_a}).front();
      Dequantize(a_, value.name_a, made);
      return ErrorOf(made, value.name_b);
    } catch (const Error&) {
      return {};  // a part that ONNX Runtime won't run alone
    }
  }

  // |made - reference| / |reference|, as vectors.
  std::optional<double> ErrorOf(const Data& made, const std::string& name_b) {
    const auto entry = b_.Find(name_b);
    if (!entry) return {};
    Data reference = b_.Read(*entry);
    Dequantize(b_, name_b, reference);
    if (made.kind != Data::Kind::kTensor || reference.kind != made.kind ||
        made.tensor.shape != reference.tensor.shape ||
        !IsNumber(made.tensor.type) || !IsNumber(reference.tensor.type)) {
      return {};
    }
    const Metrics metrics = ComputeMetrics(made.tensor, reference.tensor, {},
                                           request_.compare.relative_floor);
    if (metrics.compared == 0) return {};
    if (!metrics.snr_db) return 0;
    const double error = std::pow(10, -*metrics.snr_db / 20);
    return std::isfinite(error) ? std::optional(error) : std::nullopt;
  }

  const CompareModelsRequest& request_;
  ComparedModel a_;
  ComparedModel b_;
  const ValueSource& a_values_;
  Runtime runtime_;
  ScratchFolder scratch_;
  std::map<std::string, std::string> partners_;
};

}  // namespace

void AddIntroduced(const CompareModelsRequest& request, const ValueSource& a,
                   const ValueSource& b, CompareResult& result) {
  Introduced(request, a, b).AddTo(result);
}

}  // namespace onnx_expose

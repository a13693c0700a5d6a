#include "model/tensors.h"

#include <fmt/format.h>
#include <onnx/checker.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>

#include "check/external.h"
#include "check/rules.h"
#include "check/tensor_data.h"
#include "check/type_match.h"
#include "onnx_expose/element_types.h"
#include "onnx_expose/value_types.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

using onnx::TensorProto;

std::optional<Problem> TypeProblem(const TensorProto& tensor) {
  if (!tensor.has_data_type() || tensor.data_type() == TensorProto::UNDEFINED) {
    return Problem{"has no element type", ""};
  }
  if (!IsElementType(tensor.data_type())) {
    return Problem{fmt::format("has element type {}, which no version of the "
                               "standard known here gives",
                               tensor.data_type()),
                   "ONNX Runtime refuses it"};
  }
  if (!ElementCount(tensor).has_value()) {
    const bool negative =
        std::any_of(tensor.dims().begin(), tensor.dims().end(),
                    [](int64_t dim) { return dim < 0; });
    return Problem{negative ? "has a negative dim"
                            : "has dims whose product "
                              "is no number of elements",
                   ""};
  }
  return std::nullopt;
}

// Of a tensor whose type and dims are fine and whose data is in the file.
std::optional<Problem> DataProblem(const Skeleton& model,
                                   const TensorProto& tensor) {
  const int type = tensor.data_type();
  const uint64_t count = *ElementCount(tensor);
  const auto fields = StoredFields(model, tensor);
  const std::string text = TypeText(TypeOf(tensor));
  if (count == 0) {
    if (fields.empty()) return std::nullopt;
    return Problem{fmt::format("is {}, without elements, but has data", text),
                   kOrtTakesIt};
  }
  if (fields.empty()) {
    return Problem{fmt::format("has no data for {}", text), ""};
  }
  if (fields.size() > 1) {
    return Problem{fmt::format("has data in both {} and {}", fields[0].name,
                               fields[1].name),
                   kOrtTakesIt};
  }
  const StoredField& field = fields.front();
  const bool raw = field.number == TensorProto::kRawDataFieldNumber;
  if (raw && type == TensorProto::STRING) {
    return Problem{"has strings in raw_data", ""};
  }
  if (!raw && field.number != TypedField(type)) {
    return Problem{
        fmt::format("has data of type {} in {} instead of {}",
                    ElementName(type), field.name, TypedFieldName(type)),
        ""};
  }
  const std::optional<uint64_t> bytes = TensorBytes(tensor);
  if (raw && !bytes.has_value()) {
    return Problem{"has dims whose product is no number of bytes", ""};
  }
  const uint64_t needed = raw ? *bytes : TypedEntries(type, count);
  const auto size = [&](uint64_t number) {
    if (raw) return Counted(number, "byte");
    return fmt::format("{} {}", number, number == 1 ? "entry" : "entries");
  };
  if (field.most < needed || field.least > needed) {
    const bool more = field.least > needed;
    return Problem{fmt::format("has {}{} of {} where {} takes {}",
                               field.least == field.most ? ""
                               : more                    ? "at least "
                                                         : "at most ",
                               size(more ? field.least : field.most),
                               field.name, text, size(needed)),
                   more ? kOnlyOrtRefuses : ""};
  }
  return std::nullopt;
}

// All tensors of the model, with the places they are in.
class TensorRules {
 public:
  explicit TensorRules(Subject& subject)
      : subject_(subject), external_(subject.skeleton) {}

  // `is_read`: whether anybody wants the value of this name.
  template <typename IsRead>
  void CheckGraph(const onnx::GraphProto& graph, const std::string& prefix,
                  const IsRead& is_read) {
    for (const auto& tensor : graph.initializer()) {
      Check(tensor, prefix + "initializer " + Quoted(tensor.name()),
            is_read(tensor.name()));
    }
    for (const auto& tensor : graph.sparse_initializer()) {
      CheckSparse(tensor, prefix + "sparse initializer " +
                              Quoted(tensor.values().name()));
    }
  }

  void CheckAttribute(const onnx::AttributeProto& attribute,
                      const std::string& owner) {
    const auto place = [&] {
      return fmt::format("{}: attribute {}", owner, Quoted(attribute.name()));
    };
    if (attribute.has_t()) Check(attribute.t(), place());
    for (const auto& tensor : attribute.tensors()) Check(tensor, place());
    if (attribute.has_sparse_tensor()) {
      CheckSparse(attribute.sparse_tensor(), place());
    }
    for (const auto& tensor : attribute.sparse_tensors()) {
      CheckSparse(tensor, place());
    }
  }

 private:
  // Whether the tensor is sound.
  bool Check(const TensorProto& tensor, const std::string& place,
             bool is_read = true) {
    std::optional<Problem> problem = TypeProblem(tensor);
    if (!problem.has_value()) {
      problem = IsExternal(tensor) ? external_.Check(tensor)
                                   : DataProblem(subject_.skeleton, tensor);
    }
    if (!problem.has_value()) return true;
    // ONNX Runtime drops what nobody reads before it looks at it.
    if (!is_read && problem->note == kOnlyOrtRefuses) {
      subject_.findings.Warning(place, problem->what,
                                "ONNX Runtime would refuse it if it were read");
    } else {
      subject_.findings.Error(place, problem->what, problem->note);
    }
    subject_.bad_tensors.insert(&tensor);
    return false;
  }

  void CheckSparse(const onnx::SparseTensorProto& sparse,
                   const std::string& place) {
    if (!Check(sparse.values(), place + ": values") ||
        (sparse.has_indices() &&
         !Check(sparse.indices(), place + ": indices"))) {
      subject_.bad_tensors.insert(&sparse.values());
      return;
    }
    // The checker reads the indices, so they must be here.
    if (!IsHere(sparse.values()) || !IsHere(sparse.indices())) return;
    try {
      onnx::checker::check_sparse_tensor(sparse,
                                         onnx::checker::CheckerContext());
    } catch (const std::exception& error) {
      subject_.findings.Error(place, CleanMessage(error.what()));
      subject_.bad_tensors.insert(&sparse.values());
    }
  }

  bool IsHere(const TensorProto& tensor) const {
    return !IsExternal(tensor) && PayloadsOf(subject_.skeleton, tensor).empty();
  }

  Subject& subject_;
  ExternalData external_;
};

}  // namespace

void CheckTensors(Subject& subject) {
  TensorRules rules(subject);
  const auto& scopes = subject.index.scopes();
  for (size_t i = 0; i < scopes.size(); ++i) {
    const int scope = static_cast<int>(i);
    if (scopes[i].graph != nullptr) {
      rules.CheckGraph(
          *scopes[i].graph, subject.places.In(scope, ""),
          [&](const std::string& name) {
            const int value = subject.index.FindIn(scope, name);
            return value < 0 || !subject.index.Readers(value).empty() ||
                   subject.index.values()[static_cast<size_t>(value)].is_output;
          });
      continue;
    }
    for (const auto& attribute : scopes[i].function->attribute_proto()) {
      rules.CheckAttribute(attribute, subject.places.Scope(scope));
    }
  }
  for (size_t i = 0; i < subject.index.nodes().size(); ++i) {
    for (const auto& attribute :
         subject.node(static_cast<int>(i)).attribute()) {
      if (attribute.has_t() || attribute.has_sparse_tensor() ||
          attribute.tensors_size() > 0 || attribute.sparse_tensors_size() > 0) {
        rules.CheckAttribute(attribute,
                             subject.places.Node(static_cast<int>(i)));
      }
    }
  }
  for (int i = 0; i < subject.model.training_info_size(); ++i) {
    const auto& training = subject.model.training_info(i);
    const std::string place = fmt::format("training_info {}: ", i);
    // ONNX Runtime reads none of it.
    const auto nobody = [](const std::string&) { return false; };
    rules.CheckGraph(training.initialization(),
                     place + "initialization: ", nobody);
    rules.CheckGraph(training.algorithm(), place + "algorithm: ", nobody);
  }
}

}  // namespace onnx_expose

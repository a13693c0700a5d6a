#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/function_types.h"
#include "model/inference_copy.h"
#include "model/symbols.h"
#include "onnx_expose/value_types.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

using onnx::TypeProto;

// Each pass infers the whole graph again; past this, what is left is said all
// at once.
constexpr int kMostPasses = 8;
constexpr size_t kManyNodes = 20000;

class TypeInference {
 public:
  TypeInference(const GraphIndex& index, const InferOptions& options)
      : index_(index), options_(options), count_(index.values().size()) {
    result_.types.resize(count_);
    result_.origins.assign(count_, TypeOrigin::kUnknown);
    for (const auto& input : index.model().graph().input()) {
      CollectInputSymbols(input.type(), symbols_);
    }
    if (!options.declared) return;
    ReadGiven();
    ReadDeclared();
    ReadProbed();
  }

  ValueTypes Run() {
    if (options_.infer) {
      InferenceCopy copy(index_);
      copy.Infer();
      Collect(copy);
      Refine(copy);
      FindUnknownOps();
      result_.warnings = copy.warnings();
    } else {
      for (const auto& [value, type] : declared_) {
        Take(value, type, TypeOrigin::kDeclared);
      }
      for (const auto& [value, type] : given_) {
        Take(value, type, TypeOrigin::kFlag);
      }
    }
    TakeInputsAndInitializers();
    if (options_.infer) {
      InferFunctionTypes(index_, symbols_, result_.types);
    }
    result_.seeded = !seeded_.empty();
    return std::move(result_);
  }

 private:
  TypeProto& Type(int value) {
    return result_.types[static_cast<size_t>(value)];
  }

  bool Known(int value) { return HasElementType(Type(value)); }

  void Take(int value, const TypeProto& type, TypeOrigin origin) {
    if (type.value_case() == TypeProto::VALUE_NOT_SET) return;
    Type(value) = type;
    ForgetSymbols(Type(value), symbols_);
    result_.origins[static_cast<size_t>(value)] = origin;
  }

  // --type: the values must exist, and their symbols are the user's word.
  void ReadGiven() {
    std::vector<std::string> names;
    for (const auto& [name, type] : options_.given) {
      const int value = index_.FindIn(0, name);
      if (value < 0 || value >= index_.node_output_count()) {
        for (const Value& known : index_.values()) {
          if (known.scope == 0) names.emplace_back(known.name);
        }
        const std::string near = Nearest(name, names);
        throw Error(
            ExitCode::kRefused, "",
            {fmt::format("--type names {}, and no node computes such a value",
                         Quoted(name)),
             "", near.empty() ? "" : "did you mean " + Quoted(near) + "?"});
      }
      CollectSymbols(type, symbols_);
      given_[value] = type;
    }
  }

  // value_info and graph outputs, without their symbols: those stand in no
  // proven relation to anything.
  void ReadDeclared() {
    const auto read = [&](int scope, const onnx::ValueInfoProto& info) {
      const int value = index_.FindIn(scope, info.name());
      if (value < 0 || value >= index_.node_output_count()) return;
      if (!HasElementType(info.type())) return;
      TypeProto type = info.type();
      ForgetSymbols(type, {});
      declared_.emplace(value, std::move(type));
    };
    for (size_t i = 0; i < index_.scopes().size(); ++i) {
      const auto* graph = index_.scopes()[i].graph;
      if (graph == nullptr) continue;
      const int scope = static_cast<int>(i);
      for (const auto& info : graph->value_info()) read(scope, info);
      for (const auto& info : graph->output()) read(scope, info);
    }
  }

  // Behind value_info, which wins. Symbols are the model's own or made up.
  void ReadProbed() {
    for (const auto& [name, probed] : options_.probed) {
      const int value = index_.FindIn(0, name);
      if (value < 0 || value >= index_.node_output_count()) continue;
      TypeProto type = probed;
      ForgetSymbols(type, symbols_);
      declared_.emplace(value, std::move(type));
    }
  }

  void Collect(const InferenceCopy& copy) {
    for (int value = 0; value < index_.node_output_count(); ++value) {
      const TypeProto* type = copy.Find(value);
      if (type == nullptr) continue;
      const auto origin = seeded_.find(value);
      Take(value, *type,
           origin == seeded_.end() ? TypeOrigin::kInferred : origin->second);
    }
    if (!seeded_.empty()) return;
    for (const auto& [value, type] : declared_) {
      if (Contradicts(type, Type(value))) result_.contradicted.push_back(value);
    }
    std::sort(result_.contradicted.begin(), result_.contradicted.end());
  }

  // Says what inference couldn't find, nearest to the inputs first, so that
  // each pass proves as much as it can before the next word is taken.
  void Refine(InferenceCopy& copy) {
    for (int pass = 0; pass < kMostPasses; ++pass) {
      CheckGiven();
      const bool at_once =
          pass + 1 == kMostPasses || index_.nodes().size() > kManyNodes;
      if (!Seed(copy, at_once) && (at_once || !Seed(copy, true))) return;
      copy.Infer();
      Collect(copy);
    }
  }

  // Hands open types to the copy; false if there were none.
  bool Seed(InferenceCopy& copy, bool at_once) {
    std::vector<std::pair<int, TypeProto>> seeds;
    const auto consider = [&](int value, const TypeProto& word,
                              TypeOrigin origin) {
      if (seeded_.count(value) > 0 || Contradicts(word, Type(value))) return;
      const bool open = !Known(value) || !HasRank(Type(value));
      const bool more = origin == TypeOrigin::kFlag;
      if (!(open || more) || !(at_once || InputsKnown(value))) return;
      TypeProto type = Type(value);
      onnx_expose::Refine(type, word);
      seeded_.emplace(value, origin);
      seeds.emplace_back(value, std::move(type));
    };
    for (const auto& [value, type] : given_) {
      consider(value, type, TypeOrigin::kFlag);
    }
    for (const auto& [value, type] : declared_) {
      consider(value, type, TypeOrigin::kDeclared);
    }
    for (const auto& [value, type] : seeds) copy.Set(value, type);
    return !seeds.empty();
  }

  bool InputsKnown(int value) {
    const int node = index_.values()[static_cast<size_t>(value)].node;
    for (const int read : index_.Reads(node)) {
      if (read < index_.node_output_count() &&
          !(Known(read) && HasRank(Type(read)))) {
        return false;
      }
    }
    return true;
  }

  void CheckGiven() {
    for (const auto& [value, type] : given_) {
      if (seeded_.count(value) > 0 || !Contradicts(type, Type(value))) continue;
      throw Error(
          ExitCode::kRefused, "",
          {fmt::format("--type says {} is {}, and inference proves {}",
                       Quoted(index_.values()[static_cast<size_t>(value)].name),
                       Printable(TypeText(type)),
                       Printable(TypeText(Type(value)))),
           "", "leave --type out for this value"});
    }
  }

  // Operators that ended inference: what they read is known, what they write
  // isn't.
  void FindUnknownOps() {
    for (int node = 0; node < static_cast<int>(index_.nodes().size()); ++node) {
      const auto writes = index_.Writes(node);
      const auto reads = index_.Reads(node);
      const auto unproven = [&](int value) {
        return result_.origins[static_cast<size_t>(value)] !=
                   TypeOrigin::kInferred ||
               !Known(value);
      };
      const int scope = index_.nodes()[static_cast<size_t>(node)].scope;
      if (InFunction(scope) || writes.empty() ||
          !std::any_of(writes.begin(), writes.end(), unproven)) {
        continue;
      }
      if (std::all_of(reads.begin(), reads.end(), [&](int value) {
            return value >= index_.node_output_count() || Known(value);
          })) {
        result_.unknown_ops.push_back(node);
      }
    }
  }

  bool InFunction(int scope) const {
    const auto& scopes = index_.scopes();
    while (scopes[static_cast<size_t>(scope)].parent >= 0) {
      scope = scopes[static_cast<size_t>(scope)].parent;
    }
    return scopes[static_cast<size_t>(scope)].kind == Scope::Kind::kFunction;
  }

  void TakeInputsAndInitializers() {
    for (size_t i = 0; i < index_.scopes().size(); ++i) {
      const auto* graph = index_.scopes()[i].graph;
      if (graph == nullptr) continue;
      const int scope = static_cast<int>(i);
      const auto take = [&](const std::string& name, const TypeProto& type) {
        const int value = index_.FindIn(scope, name);
        if (value >= index_.node_output_count() && !Known(value)) {
          Type(value) = type;
          result_.origins[static_cast<size_t>(value)] = TypeOrigin::kDeclared;
        }
      };
      for (const auto& input : graph->input()) take(input.name(), input.type());
      for (const auto& tensor : graph->initializer()) {
        TypeProto type;
        type.mutable_tensor_type()->set_elem_type(tensor.data_type());
        auto& shape = *type.mutable_tensor_type()->mutable_shape();
        for (const int64_t dim : tensor.dims()) {
          shape.add_dim()->set_dim_value(dim);
        }
        take(tensor.name(), type);
      }
      for (const auto& sparse : graph->sparse_initializer()) {
        TypeProto type;
        auto& tensor = *type.mutable_sparse_tensor_type();
        tensor.set_elem_type(sparse.values().data_type());
        for (const int64_t dim : sparse.dims()) {
          tensor.mutable_shape()->add_dim()->set_dim_value(dim);
        }
        take(sparse.values().name(), type);
      }
    }
  }

  const GraphIndex& index_;
  const InferOptions& options_;
  const size_t count_;
  Symbols symbols_;
  std::map<int, TypeProto> given_;
  std::map<int, TypeProto> declared_;
  std::map<int, TypeOrigin> seeded_;
  ValueTypes result_;
};

}  // namespace

ValueTypes InferTypes(const GraphIndex& index, const InferOptions& options) {
  return TypeInference(index, options).Run();
}

}  // namespace onnx_expose

#include <fmt/format.h>
#include <onnx/common/constants.h>

#include <limits>
#include <map>
#include <set>
#include <string>

#include "check/domains.h"
#include "check/rules.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

void CheckIrVersion(Subject& subject) {
  const int64_t version = subject.model.ir_version();
  if (version <= 0) {
    subject.findings.Error("model", "has no IR version", kOrtTakesIt);
  } else if (version > onnx::IR_VERSION) {
    subject.findings.CheckerWarning(
        "model",
        fmt::format("IR version {} is newer than {}, the newest known here",
                    version, static_cast<int64_t>(onnx::IR_VERSION)),
        "the ONNX checker and ONNX Runtime refuse versions newer than theirs");
  }
}

void CheckMetadata(Subject& subject) {
  std::set<std::string> seen;
  for (const auto& entry : subject.model.metadata_props()) {
    if (seen.insert(entry.key()).second) continue;
    subject.findings.Error(
        "model",
        fmt::format("the metadata key {} is there twice", Quoted(entry.key())),
        kOrtTakesIt);
  }
}

// Of a model or a function; `place` names it.
template <typename Owner>
Imports ReadImports(const Owner& owner, const std::string& place,
                    Findings& findings) {
  Imports imports;
  std::map<std::string_view, int64_t> seen;
  for (const auto& entry : owner.opset_import()) {
    const int64_t version = entry.version();
    const std::string domain = DomainText(entry.domain());
    const int newest = NewestOpset(entry.domain());
    if (version < std::numeric_limits<int>::min() ||
        version > std::numeric_limits<int>::max() ||
        (version < 1 && newest > 0)) {
      findings.Error(
          place, fmt::format("imports opset {} of {}, which can't be", version,
                             domain));
    } else if (newest > 0 && version > newest) {
      findings.Warning(
          place,
          fmt::format("imports opset {} of {}; the newest known here is {}",
                      version, domain, newest),
          "ONNX Runtime refuses opsets newer than its own");
    }
    const auto [before, is_new] =
        seen.emplace(NormalDomain(entry.domain()), version);
    if (!is_new && before->second != version) {
      findings.Warning(
          place, fmt::format("imports {} twice, as opset {} and {}", domain,
                             before->second, version));
    }
    // Out of range: an import all the same, which says nothing.
    imports[entry.domain()] =
        version < 1 || version > std::numeric_limits<int>::max()
            ? (newest > 0 ? 0 : 1)
            : static_cast<int>(version);
  }
  return imports;
}

void CheckModelImports(Subject& subject) {
  Imports& imports = subject.imports_of_root[0];
  imports = ReadImports(subject.model, "model", subject.findings);
  const int64_t ir = subject.model.ir_version();
  if (ir > 0 && ir < 3) {
    if (!imports.empty()) {
      subject.findings.Error(
          "model", fmt::format("IR version {} allows no opset import", ir),
          kOrtTakesIt);
    } else {
      imports[""] = 1;
    }
  } else if (imports.empty()) {
    subject.findings.Error("model", "has no opset import");
  }
}

void CheckBindings(
    const google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>&
        bindings,
    const onnx::GraphProto& source, const std::set<std::string>& targets,
    const std::string& place, Findings& findings) {
  std::set<std::string> outputs;
  for (const auto& output : source.output()) outputs.insert(output.name());
  for (const auto& binding : bindings) {
    if (targets.count(binding.key()) == 0) {
      findings.Warning(place, fmt::format("binds {}, which is no initializer",
                                          Quoted(binding.key())));
    }
    if (outputs.count(binding.value()) == 0) {
      findings.Warning(place, fmt::format("binds to {}, which is no output",
                                          Quoted(binding.value())));
    }
  }
}

// Neither the checker nor ONNX Runtime looks at it.
void CheckTraining(Subject& subject) {
  for (int i = 0; i < subject.model.training_info_size(); ++i) {
    const auto& training = subject.model.training_info(i);
    std::set<std::string> targets;
    for (const auto* graph : {&subject.model.graph(), &training.algorithm()}) {
      for (const auto& tensor : graph->initializer()) {
        targets.insert(tensor.name());
      }
    }
    const std::string place = fmt::format("training_info {}", i);
    CheckBindings(training.initialization_binding(), training.initialization(),
                  targets, place + ": initialization", subject.findings);
    CheckBindings(training.update_binding(), training.algorithm(), targets,
                  place + ": algorithm", subject.findings);
  }
}

// One finding for each domain that nodes use and nobody imports.
void CheckMissingImports(Subject& subject) {
  std::map<std::pair<int, std::string>, std::vector<std::string>> missing;
  for (size_t i = 0; i < subject.index.nodes().size(); ++i) {
    const NodeRef& ref = subject.index.nodes()[i];
    const int root = subject.root[static_cast<size_t>(ref.scope)];
    // That there is no import at all is said already.
    if (root == 0 && subject.imports(0).empty()) continue;
    if (FindImport(subject.imports(ref.scope), ref.node->domain()) < 0) {
      missing[{root, ref.node->domain()}].push_back(
          ref.node->name().empty() ? ref.node->op_type() : ref.node->name());
    }
  }
  for (const auto& [key, names] : missing) {
    const auto& [root, domain] = key;
    subject.findings.Error(
        root == 0 ? "model" : subject.places.Scope(root),
        fmt::format("has no opset import for {}, in use by {}: {}",
                    DomainText(domain), Counted(names.size(), "node"),
                    NameList(names)),
        domain == "ai.onnx"
            ? "ONNX Runtime takes it for the default domain, the ONNX checker "
              "does not"
            : "");
  }
}

}  // namespace

void CheckModelFields(Subject& subject) {
  CheckIrVersion(subject);
  CheckMetadata(subject);
  CheckModelImports(subject);
  const auto& scopes = subject.index.scopes();
  for (size_t i = 0; i < scopes.size(); ++i) {
    if (scopes[i].function == nullptr) continue;
    subject.imports_of_root[i] = ReadImports(
        *scopes[i].function, subject.places.Scope(static_cast<int>(i)),
        subject.findings);
  }
  CheckMissingImports(subject);
  CheckTraining(subject);
}

}  // namespace onnx_expose

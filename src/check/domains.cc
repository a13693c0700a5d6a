#include "check/domains.h"

#include <onnx/defs/schema.h>

#include <string>

#include "onnx_expose/graph_index.h"
#include "support/text.h"

namespace onnx_expose {

int FindImport(const Imports& imports, const std::string& domain) {
  auto found = imports.find(domain);
  if (found == imports.end() && domain.empty()) found = imports.find("ai.onnx");
  return found == imports.end() ? -1 : found->second;
}

int NewestOpset(const std::string& domain) {
  const auto& known =
      onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto found = known.find(std::string(NormalDomain(domain)));
  return found == known.end() ? 0 : found->second.second;
}

std::string DomainText(const std::string& domain) {
  return domain.empty() ? "the default domain" : "domain " + Quoted(domain);
}

bool IsRuntimeDomain(const std::string& domain) {
  return domain.rfind("com.microsoft", 0) == 0 ||
         domain.rfind("com.ms.", 0) == 0 || domain == "org.pytorch.aten";
}

}  // namespace onnx_expose

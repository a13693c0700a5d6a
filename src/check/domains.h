#ifndef ONNX_EXPOSE_CHECK_DOMAINS_H_
#define ONNX_EXPOSE_CHECK_DOMAINS_H_

#include <string>
#include <unordered_map>

namespace onnx_expose {

// Opset imports by domain as it is spelled, as the onnx library wants them.
using Imports = std::unordered_map<std::string, int>;

// The version that holds for nodes of this domain: an import of "ai.onnx"
// serves "" as well, but not the other way round. -1: none.
int FindImport(const Imports& imports, const std::string& domain);

// The newest version of a domain that the onnx library knows; 0: it doesn't
// know the domain.
int NewestOpset(const std::string& domain);

// "the default domain", "domain 'ai.onnx.ml'".
std::string DomainText(const std::string& domain);

// Whether ONNX Runtime brings operators of its own in this domain.
bool IsRuntimeDomain(const std::string& domain);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_DOMAINS_H_

#ifndef ONNX_EXPOSE_SELECTOR_EXPLAIN_H_
#define ONNX_EXPOSE_SELECTOR_EXPLAIN_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_expose/error.h"
#include "selector/criterion.h"

namespace onnx_expose {

// Why a term of a criterion selects nothing, and what was probably meant. All
// of this looks through the whole model, so it is for errors and warnings.
Message WhyNothing(const Query& query, const Criterion& criterion,
                   const Term& term);

// Why nothing is left although each term selects something. `wanted` are the
// values that all of `includes` fit, `left` those of them that no exclude fits.
Message WhyEmpty(const std::vector<Criterion>& includes, const Query& query,
                 const Tally& wanted, const Tally& left);

// The parts of WhyNothing, by file: explain_names.cc and explain_paths.cc.
Message WhyNoNode(const Query& query, const Term& term);
Message WhyNoValue(const Query& query, const Criterion& criterion,
                   const Term& term);
Message WhyNoPath(const Query& query);

// The op types of the nodes that may be selected as OpText writes them,
// frequent ones first.
std::vector<std::string> OpTypesPresent(const Query& query);

// "--ops 'Conv'".
std::string Label(const Term& term);

// The flag of the same sort for another kind: "--nodes", "--exclude-nodes".
std::string SiblingFlag(const Term& term, std::string_view kind);

// "'a'" of the main graph, "'a' in 'if_0/then_branch'" of another scope.
std::string Place(const Query& query, int value);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SELECTOR_EXPLAIN_H_

#ifndef ONNX_EXPOSE_TESTS_PROPERTY_RULES_H_
#define ONNX_EXPOSE_TESTS_PROPERTY_RULES_H_

#include <onnx/onnx_pb.h>

#include <string>

#include "onnx_expose/pipeline.h"
#include "tests/property/dice.h"
#include "tests/property/random_model.h"

namespace onnx_expose::testing {

// A selection that may also select nothing, and options of expose that change
// nothing but the outputs.
ExposeRequest RandomRequest(Dice& dice, const RandomModel& model);
// And those that change more: a suffix, annotations, fixed dims, values of
// bodies and functions.
ExposeRequest RandomRequestOfAnyKind(Dice& dice, const RandomModel& model);

// The request as flags, to reproduce it by hand.
std::string CommandLine(const ExposeRequest& request);

// The rules for what is written (docs/design.md: originals first, names
// defined and new, types never guessed, everything else as it was) as gtest
// expectations.
void ExpectRulesHold(const RandomModel& model, const onnx::ModelProto& debug,
                     const ExposeRequest& request);

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_PROPERTY_RULES_H_

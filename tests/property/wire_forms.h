#ifndef ONNX_EXPOSE_TESTS_PROPERTY_WIRE_FORMS_H_
#define ONNX_EXPOSE_TESTS_PROPERTY_WIRE_FORMS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>

#include "tests/property/dice.h"

namespace onnx_expose::testing {

// The same message in another legal wire form: fields in another order,
// lengths in longer varints, packed lists unpacked or in several pieces.
std::string OtherWireForm(Dice& dice, std::string_view bytes,
                          const google::protobuf::Descriptor& type);

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_PROPERTY_WIRE_FORMS_H_

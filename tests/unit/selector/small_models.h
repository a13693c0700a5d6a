#ifndef ONNX_EXPOSE_TESTS_UNIT_SELECTOR_SMALL_MODELS_H_
#define ONNX_EXPOSE_TESTS_UNIT_SELECTOR_SMALL_MODELS_H_

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_expose/selector.h"

namespace onnx_expose::testing {

// A model of ONNX text syntax; opset and IR version are put in front.
inline onnx::ModelProto Model(const std::string& text) {
  onnx::ModelProto model;
  const std::string whole =
      "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1, "
      "\"my.fn\" : 1]>\n" +
      text;
  const auto status = onnx::OnnxParser::Parse(model, whole.c_str());
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  return model;
}

// x -> a -> (b1 -> b2, c1) -> d -> y, and e beside it all.
inline constexpr char kDiamond[] = R"(
  diamond (float[1,4] x) => (float[1,4] y) {
    [na] a = Relu (x)
    [nb1] b1 = Neg (a)
    [nb2] b2 = Abs (b1)
    [nc1] c1 = Sigmoid (a)
    [nd] d = Add (b2, c1)
    [ne] e = Tanh (x)
    [ny] y = Sub (d, e)
  })";

// A graph with an initializer, constants, an If whose branches use names of
// their own, and a function that is called once.
inline constexpr char kNested[] = R"(
  nested (float[1,4] x, bool c) => (float[1,4] y)
  <float[4] w = {1, 2, 3, 4}> {
    k = Constant <value = float[4] {1, 1, 1, 1}> ()
    [fold] kw = Mul (k, w)
    [first] a = Add (x, kw)
    [choose] i = If (c) <
      then_branch = yes () => (float[1,4] ti) {
        [tneg] ta = Neg (a)
        tk = Constant <value = float {2}> ()
        [tmul] ti = Mul (ta, tk)
      },
      else_branch = no () => (float[1,4] ei) {
        [eabs] ea = Abs (x)
        ei = Identity (ea)
      }>
    [call] f = my.fn.F (i)
    [last] y = Relu (f)
  }
  <opset_import: ["" : 17], domain: "my.fn">
  F (p) => (r) {
    inner = Exp (p)
    r = Sqrt (inner)
  })";

// A model, its index, and types as TypeText by value name.
class Subject {
 public:
  explicit Subject(const std::string& text,
                   const std::map<std::string, std::string>& types = {})
      : Subject(Model(text), types) {}
  explicit Subject(onnx::ModelProto model,
                   const std::map<std::string, std::string>& types = {})
      : model_(std::move(model)), index(model_) {
    for (const Value& value : index.values()) {
      const auto found = types.find(std::string(value.name));
      types_.types.push_back(found == types.end() ? onnx::TypeProto()
                                                  : ParseType(found->second));
      types_.origins.push_back(TypeOrigin::kUnknown);
    }
  }

  Selection Run(const SelectorOptions& options) const {
    return SelectValues(index, types_, options);
  }

  // The selected names, with their scope in front if it isn't the main graph.
  std::vector<std::string> Names(const SelectorOptions& options) const {
    std::vector<std::string> names;
    for (const int i : Run(options).values) {
      const Value& value = index.values()[static_cast<size_t>(i)];
      const std::string& path =
          index.scopes()[static_cast<size_t>(value.scope)].path;
      names.push_back(path + (path.empty() ? "" : "/") +
                      std::string(value.name));
    }
    return names;
  }

  // The error that the selection throws.
  Error Failure(const SelectorOptions& options) const {
    try {
      const auto names = Names(options);
      ADD_FAILURE() << "no error; selected " << ::testing::PrintToString(names);
    } catch (const Error& error) {
      return error;
    }
    return Error(ExitCode::kDone, "", {});
  }

 private:
  onnx::ModelProto model_;
  ValueTypes types_;

 public:
  const GraphIndex index;
};

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_UNIT_SELECTOR_SMALL_MODELS_H_

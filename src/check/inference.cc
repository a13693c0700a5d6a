#include "check/inference.h"

#include <fmt/format.h>
#include <onnx/shape_inference/implementation.h>

#include <exception>
#include <utility>

#include "check/inference_body.h"
#include "check/inference_guard.h"
#include "check/type_match.h"
#include "model/function_calls.h"
#include "model/op_schemas.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Bodies in functions in functions, each some kB of stack.
constexpr int kDeepestFrame = 200;

std::string TooManyCalls() {
  return fmt::format(
      "the calls of functions come to more than {} nodes, and ONNX Runtime "
      "inlines them all",
      kMostInlinedNodes);
}

// The library's inference functions may fall over inputs whose type is unknown
// or of another kind than they expect. Of such nodes only the types that the
// operator's signature gives are taken.
void ApplyOperator(const onnx::OpSchema& schema, const onnx::NodeProto& node,
                   const Frame& frame, NodeContext& context) {
  if (context.HasInputThatIsNoTensor()) {
    NodeContext trial(node, frame, nullptr);
    schema.CheckInputOutputType(trial);
  }
  if (!context.HasUnknownInput()) {
    if (schema.has_type_and_shape_inference_function()) {
      schema.GetTypeAndShapeInferenceFunction()(context);
    } else if (schema.HasFunction()) {
      onnx::shape_inference::InferShapeForFunctionNode(
          *schema.GetFunction(), &OpSchemas::Instance(), context,
          onnx::ShapeInferenceOptions(true, 1, false));
    }
  }
  schema.CheckInputOutputType(context);
}

// What a call of a function makes wrong about a node in it; empty: nothing.
std::string BindingFault(const Frame& frame, const onnx::NodeProto& node,
                         const onnx::OpSchema* schema) {
  if (frame.Call() < 0) return "";
  for (const auto& attribute : node.attribute()) {
    if (attribute.ref_attr_name().empty()) continue;
    const auto* given = frame.FindAttribute(attribute.ref_attr_name());
    if (given != nullptr && given->type() != attribute.type()) {
      return fmt::format("attribute {} is not of the type that the call gives",
                         Quoted(attribute.name()));
    }
  }
  if (schema == nullptr) return "";
  for (int i = 0; i < node.input_size(); ++i) {
    const auto at = static_cast<size_t>(i);
    if (at < schema->inputs().size() && frame.IsAbsent(node.input(i)) &&
        schema->inputs()[at].GetOption() == onnx::OpSchema::Single) {
      return fmt::format("needs {}, which the call leaves out",
                         Quoted(node.input(i)));
    }
  }
  return "";
}

}  // namespace

Inference::Inference(Subject& subject) : subject_(subject) {
  for (const auto& input : subject.model.graph().input()) {
    AddSymbols(input.type(), symbols_);
  }
}

void Inference::Run() {
  const uint64_t own = subject_.index.nodes().size();
  if (CountFunctionCalls(subject_.index).total > own + kMostInlinedNodes) {
    subject_.no_inference = TooManyCalls();
    return;
  }
  const onnx::GraphProto& graph = subject_.model.graph();
  Frame frame(0, nullptr);
  try {
    Enter(frame);
    for (const auto& input : graph.input()) {
      onnx::TypeProto type = input.type();
      if (!Tame(type, symbols_)) continue;
      for (auto [entry, end] = frame.outputs.equal_range(input.name());
           entry != end; ++entry) {
        FitsDeclared(frame, "output", input.name(), entry->second->type(), type,
                     -1);
      }
      frame.types[input.name()] = std::move(type);
    }
    AddInitializers(frame, graph);
    Walk(frame);
  } catch (const OverBudget& over) {
    subject_.no_inference = over.why;
  }
}

void Inference::Enter(Frame& frame) {
  const onnx::GraphProto& graph = *subject_.graph(frame.scope);
  steps_ += static_cast<uint64_t>(graph.value_info_size());
  steps_ += static_cast<uint64_t>(graph.initializer_size());
  for (const auto& info : graph.value_info()) {
    if (info.has_type()) frame.infos.emplace(info.name(), &info);
  }
  for (const auto& info : graph.output()) {
    if (info.has_type()) frame.outputs.emplace(info.name(), &info);
  }
}

void Inference::AddInitializers(Frame& frame, const onnx::GraphProto& graph) {
  for (const auto& tensor : graph.initializer()) {
    AddInitializer(frame, tensor.name(), TypeOf(tensor));
    if (IsReadable(tensor)) frame.data[tensor.name()] = &tensor;
  }
  for (const auto& tensor : graph.sparse_initializer()) {
    AddInitializer(frame, tensor.values().name(), TypeOf(tensor));
    if (IsReadable(tensor.values()) && IsReadable(tensor.indices())) {
      frame.sparse[tensor.values().name()] = &tensor;
    }
  }
}

void Inference::AddInitializer(Frame& frame, const std::string& name,
                               onnx::TypeProto type) {
  // An input of the same name, which may be fed with something else, counts.
  if (frame.types.count(name) > 0 || !Tame(type, symbols_)) return;
  SettleValue(frame, name, type, -1);
}

void Inference::Walk(Frame& frame) {
  if (frame.depth > kDeepestFrame) {
    throw OverBudget(fmt::format(
        "bodies and calls of functions are nested more than {} deep",
        kDeepestFrame));
  }
  for (const int node : subject_.nodes[static_cast<size_t>(frame.scope)]) {
    steps_ += frame.Call() < 0 ? 1 : Weight(subject_.node(node));
    if (steps_ > subject_.index.nodes().size() + kMostInlinedNodes) {
      throw OverBudget(TooManyCalls());
    }
    WalkNode(frame, node);
  }
}

void Inference::WalkNode(Frame& frame, int node) {
  const onnx::NodeProto& proto = subject_.node(node);
  const int root = subject_.root[static_cast<size_t>(frame.scope)];
  const onnx::OpSchema* schema = nullptr;
  const bool sound = subject_.sound[static_cast<size_t>(node)];
  if (sound) {
    schema = FindSchema(root, proto,
                        FindImport(subject_.imports(root), proto.domain()));
  }
  Frame& here = frame;
  NodeContext context(
      proto, frame,
      [&](const std::string& name) -> std::unique_ptr<onnx::GraphInferencer> {
        for (const int body : subject_.index.BodiesOf(node)) {
          if (subject_.index.scopes()[static_cast<size_t>(body)].attribute ==
              name) {
            return std::make_unique<Body>(*this, here, body);
          }
        }
        return nullptr;
      });
  const bool unknown =
      sound && schema == nullptr && subject_.index.Callee(node) < 0;
  frame.silenced = frame.silenced || unknown;
  if (sound && !unknown && !HasUnreadAttributes(proto)) {
    InferNode(frame, node, schema, context);
  }
  Settle(frame, node, context.outputs());
}

void Inference::InferNode(Frame& frame, int node, const onnx::OpSchema* schema,
                          NodeContext& context) {
  const onnx::NodeProto& proto = subject_.node(node);
  try {
    std::string fault = BindingFault(frame, proto, schema);
    if (fault.empty()) fault = InferenceHazard(proto, context);
    if (!fault.empty()) throw std::runtime_error(fault);
    if (schema == nullptr) {
      Call(frame, node, subject_.index.Callee(node), context);
    } else {
      ApplyOperator(*schema, proto, frame, context);
    }
    RememberConstant(frame, proto, context);
    return;
  } catch (const InnerFailure&) {
    frame.failed = true;
  } catch (const OverBudget&) {
    throw;
  } catch (const std::exception& error) {
    Fail(frame, node, CleanMessage(error.what()));
  }
  for (auto& output : context.outputs()) output.Clear();
}

void Inference::Call(Frame& frame, int node, int callee, NodeContext& context) {
  const onnx::FunctionProto& function =
      *subject_.index.scopes()[static_cast<size_t>(callee)].function;
  Frame inner(callee, &frame, node);
  for (int i = 0; i < function.input_size(); ++i) {
    const std::string& name = function.input(i);
    const auto at = static_cast<size_t>(i);
    if (!context.hasInput(at)) {
      inner.absent.insert(name);
      continue;
    }
    const onnx::TypeProto* type = context.getInputType(at);
    if (type == nullptr) continue;
    inner.types[name] = *type;
    if (const auto* data = context.getInputData(at)) inner.data[name] = data;
    if (const auto* data = context.getInputSparseData(at)) {
      inner.sparse[name] = data;
    }
  }
  for (const std::string& name : function.attribute()) {
    if (const auto* given = context.getAttribute(name)) {
      inner.attributes[name] = given;
    }
  }
  for (const auto& attribute : function.attribute_proto()) {
    const auto* given = context.getAttribute(attribute.name());
    inner.attributes[attribute.name()] = given != nullptr ? given : &attribute;
  }
  Walk(inner);
  if (inner.failed) throw InnerFailure();
  for (int i = 0; i < function.output_size(); ++i) {
    const auto known = inner.types.find(function.output(i));
    const auto at = static_cast<size_t>(i);
    if (known == inner.types.end() || at >= context.getNumOutputs()) continue;
    *context.getOutputType(at) = known->second;
  }
}

void CheckInference(Subject& subject) {
  if (subject.no_inference.empty()) Inference(subject).Run();
  if (!subject.no_inference.empty()) {
    subject.findings.Warning(
        "model", "types and shapes are not checked: " + subject.no_inference);
  }
}

}  // namespace onnx_expose

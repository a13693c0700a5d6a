#include "model/function_attributes.h"

namespace onnx_expose {

BoundAttributes AttributesOf(const onnx::FunctionProto& function,
                             const onnx::NodeProto& call) {
  BoundAttributes bound;
  for (const auto& attribute : function.attribute_proto()) {
    bound[attribute.name()] = &attribute;
  }
  for (const auto& attribute : call.attribute()) {
    bound[attribute.name()] = &attribute;
  }
  return bound;
}

void Bind(onnx::NodeProto& node, const BoundAttributes& bound) {
  auto& list = *node.mutable_attribute();
  for (int i = list.size() - 1; i >= 0; --i) {
    onnx::AttributeProto& attribute = *list.Mutable(i);
    if (!attribute.ref_attr_name().empty()) {
      const auto value = bound.find(attribute.ref_attr_name());
      if (value == bound.end()) {
        list.DeleteSubrange(i, 1);
        continue;
      }
      const std::string name = attribute.name();
      attribute = *value->second;
      attribute.set_name(name);
    }
    if (attribute.has_g()) {
      for (auto& inner : *attribute.mutable_g()->mutable_node()) {
        Bind(inner, bound);
      }
    }
    for (auto& graph : *attribute.mutable_graphs()) {
      for (auto& inner : *graph.mutable_node()) Bind(inner, bound);
    }
  }
}

}  // namespace onnx_expose

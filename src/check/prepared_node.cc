#include "check/prepared_node.h"

#include <algorithm>

namespace onnx_expose {
namespace {

using onnx::AttributeProto;

bool IsHeavy(const AttributeProto& attribute) {
  return attribute.has_t() || attribute.has_g() ||
         attribute.has_sparse_tensor() || attribute.tensors_size() > 0 ||
         attribute.graphs_size() > 0 || attribute.sparse_tensors_size() > 0;
}

void FillTensor(onnx::TensorProto& tensor) {
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(0);
}

void FillSparse(onnx::SparseTensorProto& tensor) {
  FillTensor(*tensor.mutable_values());
  tensor.add_dims(1);
}

// The same fields with the smallest values: the checker looks at which fields
// are there, not at what they say.
void CopyOutline(const AttributeProto& from, AttributeProto& to) {
  to.set_name(from.name());
  if (from.has_type()) to.set_type(from.type());
  if (from.has_ref_attr_name()) to.set_ref_attr_name(from.ref_attr_name());
  if (from.has_f()) to.set_f(0);
  if (from.has_i()) to.set_i(0);
  if (from.has_s()) to.set_s("");
  if (from.has_tp()) to.mutable_tp();
  if (from.floats_size() > 0) to.add_floats(0);
  if (from.ints_size() > 0) to.add_ints(0);
  if (from.strings_size() > 0) to.add_strings("");
  if (from.type_protos_size() > 0) to.add_type_protos();
  if (from.has_t()) FillTensor(*to.mutable_t());
  if (from.tensors_size() > 0) FillTensor(*to.add_tensors());
  if (from.has_sparse_tensor()) FillSparse(*to.mutable_sparse_tensor());
  if (from.sparse_tensors_size() > 0) FillSparse(*to.add_sparse_tensors());
  if (from.has_g()) to.mutable_g()->set_name("g");
  if (from.graphs_size() > 0) to.add_graphs()->set_name("g");
}

}  // namespace

PreparedNode::PreparedNode(const onnx::NodeProto& node) : original_(&node) {
  if (std::none_of(node.attribute().begin(), node.attribute().end(), IsHeavy)) {
    return;
  }
  copy_.emplace();
  copy_->set_name(node.name());
  copy_->set_op_type(node.op_type());
  copy_->set_domain(node.domain());
  *copy_->mutable_input() = node.input();
  *copy_->mutable_output() = node.output();
  for (const auto& attribute : node.attribute()) {
    CopyOutline(attribute, *copy_->add_attribute());
  }
}

}  // namespace onnx_expose

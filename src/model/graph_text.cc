#include "model/graph_text.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

#include "onnx_expose/value_types.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Docs and string attributes can be whole stack traces, lists whole trees.
constexpr size_t kMostLetters = 72;
constexpr int kMostItems = 12;

std::string Shortened(std::string_view text) {
  if (text.size() <= kMostLetters) return Printable(text);
  size_t end = kMostLetters;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    --end;
  }
  return Printable(text.substr(0, end)) + "...";
}

std::string NameText(std::string_view name) {
  const bool plain = !name.empty() && name.find_first_of(" ,()<>[]{}='\"#") ==
                                          std::string_view::npos;
  return plain ? Printable(name) : Quoted(name);
}

template <typename Items, typename Text>
std::string ListText(const Items& items, Text&& text_of) {
  std::string text;
  int shown = 0;
  for (const auto& item : items) {
    if (shown > 0) text += ", ";
    if (shown++ == kMostItems) {
      return text + fmt::format("... {} in all", items.size());
    }
    text += text_of(item);
  }
  return text;
}

// Inputs and outputs of nodes are never shortened.
template <typename Names>
std::string NamesText(const Names& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += NameText(name);
  }
  return text;
}

std::string NumberText(double number) { return fmt::format("{}", number); }

std::string ExternalText(const onnx::TensorProto& tensor) {
  std::string text = ", external";
  for (const auto& entry : tensor.external_data()) {
    text += entry.key() == "location"
                ? " " + Quoted(entry.value())
                : fmt::format(" {} {}", Printable(entry.key()),
                              Printable(entry.value()));
  }
  return text;
}

std::string TensorType(const onnx::TensorProto& tensor) {
  return fmt::format("{}[{}]", ElementName(tensor.data_type()),
                     Joined(tensor.dims(), ","));
}

std::string TensorSize(const onnx::TensorProto& tensor) {
  const std::optional<uint64_t> bytes = TensorBytes(tensor);
  std::string text = bytes ? ByteText(*bytes) : "no fixed size";
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    text += ExternalText(tensor);
  }
  return text;
}

std::string TensorText(const onnx::TensorProto& tensor) {
  return fmt::format("{} ({})", TensorType(tensor), TensorSize(tensor));
}

std::string SparseText(const onnx::SparseTensorProto& sparse) {
  return fmt::format("sparse({}[{}]) ({})",
                     ElementName(sparse.values().data_type()),
                     Joined(sparse.dims(), ","), TensorSize(sparse.values()));
}

std::string StringText(const std::string& text) {
  return "\"" + Shortened(text) + "\"";
}

// Without bodies, which follow below the node.
std::string AttributeText(const onnx::AttributeProto& attribute) {
  const auto list = [](const auto& items, auto&& text_of) {
    return "[" + ListText(items, text_of) + "]";
  };
  const auto integer = [](int64_t i) { return fmt::format("{}", i); };
  const auto number = [](float f) { return NumberText(f); };
  if (!attribute.ref_attr_name().empty()) {
    return "@" + NameText(attribute.ref_attr_name());
  }
  switch (attribute.type()) {
    case onnx::AttributeProto::FLOAT:
      return number(attribute.f());
    case onnx::AttributeProto::INT:
      return integer(attribute.i());
    case onnx::AttributeProto::STRING:
      return StringText(attribute.s());
    case onnx::AttributeProto::TENSOR:
      return TensorText(attribute.t());
    case onnx::AttributeProto::SPARSE_TENSOR:
      return SparseText(attribute.sparse_tensor());
    case onnx::AttributeProto::TYPE_PROTO:
      return TypeText(attribute.tp());
    case onnx::AttributeProto::FLOATS:
      return list(attribute.floats(), number);
    case onnx::AttributeProto::INTS:
      return list(attribute.ints(), integer);
    case onnx::AttributeProto::STRINGS:
      return list(attribute.strings(), StringText);
    case onnx::AttributeProto::TENSORS:
      return list(attribute.tensors(), TensorText);
    case onnx::AttributeProto::SPARSE_TENSORS:
      return list(attribute.sparse_tensors(), SparseText);
    case onnx::AttributeProto::TYPE_PROTOS:
      return list(attribute.type_protos(), TypeText);
    default:
      return "?";
  }
}

class GraphWriter {
 public:
  explicit GraphWriter(std::string& text) : text_(text) {}

  void Model(const onnx::ModelProto& model) {
    Line("ir_version {}", model.ir_version());
    Imports(model.opset_import());
    if (!model.producer_name().empty()) {
      Line("producer {} {}", StringText(model.producer_name()),
           StringText(model.producer_version()));
    }
    if (model.has_domain() || model.has_model_version()) {
      Line("domain {} version {}", StringText(model.domain()),
           model.model_version());
    }
    if (!model.doc_string().empty()) {
      Line("doc {}", StringText(model.doc_string()));
    }
    Metadata(model.metadata_props());
    Line("");
    Line("graph {} {{", NameText(model.graph().name()));
    Inside([&] { Graph(model.graph()); });
    Line("}}");
    for (const auto& function : model.functions()) Function(function);
    if (model.training_info_size() > 0) {
      Line("\ntraining_info {}",
           Counted(static_cast<uint64_t>(model.training_info_size()), "entry"));
    }
  }

 private:
  template <typename... Values>
  void Line(fmt::format_string<Values...> format, Values&&... values) {
    text_.append(indent_, ' ');
    text_ += fmt::format(format, std::forward<Values>(values)...);
    text_ += '\n';
  }

  template <typename Body>
  void Inside(Body&& body) {
    indent_ += 2;
    body();
    indent_ -= 2;
  }

  template <typename Opsets>
  void Imports(const Opsets& imports) {
    for (const auto& import : imports) {
      Line("opset {} {}",
           import.domain().empty() ? "ai.onnx" : NameText(import.domain()),
           import.version());
    }
  }

  template <typename Entries>
  void Metadata(const Entries& entries) {
    for (const auto& entry : entries) {
      Line("metadata {} = {}", NameText(entry.key()),
           StringText(entry.value()));
    }
  }

  void Declared(std::string_view kind, const onnx::ValueInfoProto& value) {
    Line("{} {}: {}{}", kind, NameText(value.name()),
         Printable(TypeText(value.type())),
         value.doc_string().empty() ? ""
                                    : "  # " + Shortened(value.doc_string()));
  }

  void Graph(const onnx::GraphProto& graph) {
    if (!graph.doc_string().empty()) {
      Line("doc {}", StringText(graph.doc_string()));
    }
    Metadata(graph.metadata_props());
    for (const auto& value : graph.input()) Declared("input", value);
    for (const auto& value : graph.output()) Declared("output", value);
    for (const auto& tensor : graph.initializer()) {
      Line("initializer {}: {}  # {}", NameText(tensor.name()),
           TensorType(tensor), TensorSize(tensor));
    }
    for (const auto& sparse : graph.sparse_initializer()) {
      Line("initializer {}: {}", NameText(sparse.values().name()),
           SparseText(sparse));
    }
    for (const auto& value : graph.value_info()) Declared("value_info", value);
    for (const auto& entry : graph.quantization_annotation()) {
      Line("quantization {}", NameText(entry.tensor_name()));
    }
    if (graph.node_size() > 0) text_ += '\n';
    for (const auto& node : graph.node()) Node(node);
  }

  void Node(const onnx::NodeProto& node) {
    const auto is_body = [](const onnx::AttributeProto& attribute) {
      return attribute.has_g() || attribute.graphs_size() > 0;
    };
    std::string attributes;
    for (const auto& attribute : node.attribute()) {
      if (is_body(attribute)) continue;
      if (!attributes.empty()) attributes += ", ";
      attributes += NameText(attribute.name()) + "=" + AttributeText(attribute);
    }
    const std::string domain =
        node.domain().empty() ? "" : Printable(node.domain()) + "::";
    Line(
        "{}{} = {}{}{}({}){}",
        node.name().empty() ? "" : "[" + Printable(node.name()) + "] ",
        NamesText(node.output()), domain, Printable(node.op_type()),
        attributes.empty() ? "" : "<" + attributes + ">",
        NamesText(node.input()),
        node.doc_string().empty() ? "" : "  # " + Shortened(node.doc_string()));
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) Body(attribute.name(), attribute.g());
      for (const auto& body : attribute.graphs()) Body(attribute.name(), body);
    }
  }

  void Body(const std::string& attribute, const onnx::GraphProto& body) {
    Inside([&] {
      Line("{} = graph {} {{", NameText(attribute), NameText(body.name()));
      Inside([&] { Graph(body); });
      Line("}}");
    });
  }

  void Function(const onnx::FunctionProto& function) {
    Line("");
    Line("function {}::{}({}) => ({}) {{", Printable(function.domain()),
         Printable(function.name()), NamesText(function.input()),
         NamesText(function.output()));
    Inside([&] {
      Imports(function.opset_import());
      for (const auto& name : function.attribute()) {
        Line("attribute {}", NameText(name));
      }
      for (const auto& attribute : function.attribute_proto()) {
        Line("attribute {} = {}", NameText(attribute.name()),
             AttributeText(attribute));
      }
      for (const auto& value : function.value_info()) {
        Declared("value_info", value);
      }
      for (const auto& node : function.node()) Node(node);
    });
    Line("}}");
  }

  std::string& text_;
  size_t indent_ = 0;
};

}  // namespace

std::string GraphText(const Skeleton& model) {
  std::string text;
  GraphWriter(text).Model(model.proto);
  return text;
}

}  // namespace onnx_expose

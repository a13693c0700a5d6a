"""Protobuf text of an ONNX model -> its bytes, without protobuf.

Fields are written in the order of the text, so that a test can have the bytes it wants. A field may be given by number
(`999: 5`, `999: "text"`, `999 { 1: 2 }`) for what no schema knows.
"""

import re
import struct

# Message -> field -> (number, kind); the kind of a message field is the message's name. Enums are numbers here.
_SHAPE = {"dim": (1, "Dimension")}
SCHEMA = {
    "ModelProto": {"ir_version": (1, "int"), "producer_name": (2, "bytes"), "producer_version": (3, "bytes"),
                   "domain": (4, "bytes"), "model_version": (5, "int"), "doc_string": (6, "bytes"),
                   "graph": (7, "GraphProto"), "opset_import": (8, "OperatorSetIdProto"),
                   "metadata_props": (14, "StringStringEntryProto"), "training_info": (20, "TrainingInfoProto"),
                   "functions": (25, "FunctionProto")},
    "GraphProto": {"node": (1, "NodeProto"), "name": (2, "bytes"), "initializer": (5, "TensorProto"),
                   "doc_string": (10, "bytes"), "input": (11, "ValueInfoProto"), "output": (12, "ValueInfoProto"),
                   "value_info": (13, "ValueInfoProto"), "quantization_annotation": (14, "TensorAnnotation"),
                   "sparse_initializer": (15, "SparseTensorProto"), "metadata_props": (16, "StringStringEntryProto")},
    "NodeProto": {"input": (1, "bytes"), "output": (2, "bytes"), "name": (3, "bytes"), "op_type": (4, "bytes"),
                  "attribute": (5, "AttributeProto"), "doc_string": (6, "bytes"), "domain": (7, "bytes"),
                  "overload": (8, "bytes"), "metadata_props": (9, "StringStringEntryProto")},
    "AttributeProto": {"name": (1, "bytes"), "f": (2, "float"), "i": (3, "int"), "s": (4, "bytes"),
                       "t": (5, "TensorProto"), "g": (6, "GraphProto"), "floats": (7, "float"), "ints": (8, "int"),
                       "strings": (9, "bytes"), "tensors": (10, "TensorProto"), "graphs": (11, "GraphProto"),
                       "doc_string": (13, "bytes"), "tp": (14, "TypeProto"), "type": (20, "int"),
                       "ref_attr_name": (21, "bytes"), "sparse_tensor": (22, "SparseTensorProto")},
    "TensorProto": {"dims": (1, "int"), "data_type": (2, "int"), "float_data": (4, "floats"), "int32_data": (5, "ints"),
                    "string_data": (6, "bytes"), "int64_data": (7, "ints"), "name": (8, "bytes"),
                    "raw_data": (9, "bytes"), "double_data": (10, "doubles"), "uint64_data": (11, "ints"),
                    "doc_string": (12, "bytes"), "external_data": (13, "StringStringEntryProto"),
                    "data_location": (14, "int")},
    "SparseTensorProto": {"values": (1, "TensorProto"), "indices": (2, "TensorProto"), "dims": (3, "int")},
    "ValueInfoProto": {"name": (1, "bytes"), "type": (2, "TypeProto"), "doc_string": (3, "bytes"),
                       "metadata_props": (4, "StringStringEntryProto")},
    "TypeProto": {"tensor_type": (1, "Tensor"), "sequence_type": (4, "Sequence"), "map_type": (5, "Map"),
                  "denotation": (6, "bytes"), "sparse_tensor_type": (8, "Tensor"), "optional_type": (9, "Sequence")},
    "Tensor": {"elem_type": (1, "int"), "shape": (2, "TensorShapeProto")},
    "Sequence": {"elem_type": (1, "TypeProto")},
    "Map": {"key_type": (1, "int"), "value_type": (2, "TypeProto")},
    "TensorShapeProto": _SHAPE,
    "Dimension": {"dim_value": (1, "int"), "dim_param": (2, "bytes"), "denotation": (3, "bytes")},
    "OperatorSetIdProto": {"domain": (1, "bytes"), "version": (2, "int")},
    "StringStringEntryProto": {"key": (1, "bytes"), "value": (2, "bytes")},
    "TensorAnnotation": {"tensor_name": (1, "bytes"), "quant_parameter_tensor_names": (2, "StringStringEntryProto")},
    "TrainingInfoProto": {"initialization": (1, "GraphProto"), "algorithm": (2, "GraphProto"),
                          "initialization_binding": (3, "StringStringEntryProto"),
                          "update_binding": (4, "StringStringEntryProto")},
    "FunctionProto": {"name": (1, "bytes"), "input": (4, "bytes"), "output": (5, "bytes"), "attribute": (6, "bytes"),
                      "node": (7, "NodeProto"), "doc_string": (8, "bytes"), "opset_import": (9, "OperatorSetIdProto"),
                      "domain": (10, "bytes"), "attribute_proto": (11, "AttributeProto"),
                      "value_info": (12, "ValueInfoProto"), "overload": (13, "bytes")},
}
_PACKED = {"floats": "float", "doubles": "double", "ints": "int"}
_TOKEN = re.compile(r'\s+|#[^\n]*|(?P<token>"(?:\\.|[^"\\])*"|[\w.+-]+|[{}\[\]:,])')
_ESCAPE = re.compile(rb'\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)', re.S)
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}


def varint(number):
    number &= 2**64 - 1
    result = bytearray()
    while number > 0x7F:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    result.append(number)
    return bytes(result)


def record(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def unescape(match):
    code = match.group(1)
    if code[:1] == b"x":
        return bytes([int(code[1:], 16)])
    return bytes([int(code, 8)]) if code[:1].isdigit() else _LETTERS.get(code, code)


def literal(token):
    if token.startswith('"'):
        return _ESCAPE.sub(unescape, token[1:-1].encode("utf-8", "surrogateescape"))
    return float(token) if re.search(r"[.]|inf|nan", token) else int(token, 0)


class Parser:
    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if not match:
                raise ValueError("unexpected %r" % text[at:at + 20])
            if match.group("token"):
                self.tokens.append(match.group("token"))
            at = match.end()
        self.at = 0

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def message(self, name):
        result, packed = b"", (None, b"")
        while self.peek() not in (None, "}"):
            field = self.next()
            number, kind = (int(field), None) if field.isdigit() else SCHEMA.get(name, {})[field]
            if self.peek() == ":":
                self.next()
            items = [self.value(kind)]
            while self.peek() == ",":
                self.next()
                items.append(self.value(kind))
            if self.peek() == "]":
                self.next()
            if packed[0] not in (None, number):
                result, packed = result + record(*packed), (None, b"")
            for item in items:
                if kind in _PACKED:
                    packed = (number, packed[1] + self.scalar(None, _PACKED[kind], item))
                else:
                    result += self.scalar(number, kind, item)
        return result + record(*packed) if packed[0] else result

    def value(self, kind):
        if self.peek() == "[":
            self.next()
        if self.peek() == "{":
            self.next()
            content = self.message(kind)
            self.next()
            return content
        item = literal(self.next())
        while isinstance(item, bytes) and (self.peek() or "").startswith('"'):
            item += literal(self.next())  # "a" "b" is one string
        return item

    @staticmethod
    def scalar(number, kind, item):
        if kind in ("float", "double"):
            wire, content = (5, struct.pack("<f", item)) if kind == "float" else (1, struct.pack("<d", item))
        elif isinstance(item, bytes):
            return record(number, item)
        else:
            wire, content = 0, varint(item)
        return content if number is None else varint(number << 3 | wire) + content


def model_bytes(text):
    parser = Parser(text)
    result = parser.message("ModelProto")
    if parser.peek() is not None:
        raise ValueError("unexpected %r" % parser.peek())
    return result

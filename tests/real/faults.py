"""Known faults: where in a model each can be injected, and the injection.

A fault is a weight scaled by 1.02, an activation dropped, an axis swapped, a result cast to float16 and back. Nodes in
the bodies of If, Loop and Scan count as well as those of the graph.
"""

import random
from typing import NamedTuple

import numpy as np
from onnx import AttributeProto, TensorProto, helper, numpy_helper

SCALE = np.float32(1.02)
AXES_AS_INPUT = ("CumSum", "ReduceSum", "ReduceMean", "ReduceMax")
FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE)


class Site(NamedTuple):
    """A node: the steps (node, attribute) from the model's graph into a body, and its place there."""

    path: tuple
    index: int


class Place:
    """A site of one model, with what can be known about it; `dims` are those of the node's first output."""

    def __init__(self, model, site, dims=()):
        self.dims = dims
        self.graph, self.outer = model.graph, [model.graph]
        for node, attribute in site.path:
            self.graph = self.graph.node[node].attribute[attribute].g
            self.outer.append(self.graph)
        self.index, self.node = site.index, self.graph.node[site.index]

    def initializer(self, name):
        for graph in reversed(self.outer):
            for tensor in graph.initializer:
                if tensor.name == name:
                    return tensor
        return None

    def producer(self, name):
        for graph in reversed(self.outer):
            for node in graph.node:
                if name in node.output:
                    return node
        return None

    def constant(self, name, depth=8):
        """Whether a float tensor depends on nothing but constants, as the output of DequantizeLinear, say."""
        tensor = self.tensor(name)
        if tensor is not None:
            return tensor.data_type in FLOATS
        node = self.producer(name)
        if node is None or depth == 0 or node.op_type == "Shape":
            return False
        if node.op_type == "DequantizeLinear":
            return self.tensor(node.input[0]) is not None
        return node.op_type in ("Identity", "Reshape", "Transpose", "Unsqueeze", "Squeeze", "Cast", "ConstantOfShape") \
            and (node.op_type == "ConstantOfShape" or self.constant(node.input[0], depth - 1))

    def tensor(self, name):
        """The tensor of an initializer or of a Constant node; None if `name` is neither."""
        tensor = self.initializer(name)
        if tensor is not None:
            return tensor
        node = self.producer(name)
        if node is not None and node.op_type == "Constant":
            return next((item.t for item in node.attribute if item.name == "value"), None)
        return None

    def insert(self, offset, *nodes):
        for number, node in enumerate(nodes):
            self.graph.node.insert(self.index + offset + number, node)

    def weights(self):
        """Positions of constant float inputs, the greatest first."""
        found = []
        for position, name in enumerate(self.node.input):
            if name and self.constant(name):
                tensor = self.tensor(name)
                found.append((-np.prod(tensor.dims) if tensor is not None else -np.inf, position))
        return [position for _, position in sorted(found)]


def sites(graph, path=()):
    for index, node in enumerate(graph.node):
        yield Site(path, index)
        for number, attribute in enumerate(node.attribute):
            if attribute.type == AttributeProto.GRAPH:
                yield from sites(attribute.g, (*path, (index, number)))


def replace_input(place, position, array):
    place.graph.initializer.append(numpy_helper.from_array(array, "fault_weight"))
    place.node.input[position] = "fault_weight"


def scale_weight(place):
    for position in place.weights():
        tensor = place.tensor(place.node.input[position])
        if tensor is None:  # computed from constants; a node of its own scales it
            place.graph.initializer.append(numpy_helper.from_array(np.array(SCALE), "fault_factor"))
            factors = [place.node.input[position], "fault_factor"]
            place.node.input[position] = "fault_weight"
            place.insert(0, helper.make_node("Mul", factors, ["fault_weight"], "fault_scale"))
            return True
        array = numpy_helper.to_array(tensor)
        if array.size and np.any(array):
            replace_input(place, position, (array * SCALE).astype(array.dtype))
            return True
    for attribute in place.node.attribute:  # those of ai.onnx.ml have their weights as attributes
        if attribute.name in ("scale", "coefficients", "target_weights", "class_weights") and attribute.floats:
            attribute.floats[:] = [value * float(SCALE) for value in attribute.floats]
            return True
    return False


def drop_activation(place):
    place.node.op_type, place.node.domain = "Identity", ""
    del place.node.attribute[:]
    del place.node.input[1:]
    return True


def swap_axis(place):
    node = place.node
    for attribute in node.attribute:
        if attribute.name == "axis":
            attribute.i = 0 if attribute.i != 0 else 1
            return True
        if attribute.name in ("perm", "axes") and attribute.ints:
            if len(attribute.ints) > 1 and node.op_type == "Transpose":
                attribute.ints[-1], attribute.ints[-2] = attribute.ints[-2], attribute.ints[-1]
            else:
                attribute.ints[0] = 0 if attribute.ints[0] != 0 else 1
            return True
    if node.op_type in ("Softmax", "LogSoftmax", "Concat"):  # whose default axis is another one
        node.attribute.append(helper.make_attribute("axis", 0))
        return True
    for position, name in enumerate(node.input):
        if position == 0 and node.op_type != "MatMul":
            continue
        tensor = place.tensor(name)
        if tensor is None:
            continue
        array = numpy_helper.to_array(tensor)
        if node.op_type in AXES_AS_INPUT and array.dtype == np.int64 and array.size:
            changed = array.copy()
            changed.flat[0] = 0 if array.flat[0] != 0 else 1
            replace_input(place, position, changed)
            return True
        for axis in range(array.ndim - 1, 0, -1):
            if array.shape[axis] == array.shape[axis - 1] > 1:
                replace_input(place, position, np.ascontiguousarray(array.swapaxes(axis, axis - 1)))
                return True
    return transpose_result(place)


def transpose_result(place):
    """Swaps two axes of one size of what the node computes."""
    for axis in range(len(place.dims) - 1, 0, -1):
        if place.dims[axis] == place.dims[axis - 1] > 1:
            order = list(range(len(place.dims)))
            order[axis - 1:axis + 1] = axis, axis - 1
            name = place.node.output[0]
            place.node.output[0] = "fault_raw"
            place.insert(1, helper.make_node("Transpose", ["fault_raw"], [name], "fault_transpose", perm=order))
            return True
    return False


def cast_fp16(place):
    name = place.node.output[0]
    place.node.output[0] = "fault_raw"
    place.insert(1, helper.make_node("Cast", ["fault_raw"], ["fault_half"], "fault_to_half", to=TensorProto.FLOAT16),
                 helper.make_node("Cast", ["fault_half"], [name], "fault_back", to=TensorProto.FLOAT))
    return True


def pass_through(place):
    """No fault: the value takes a detour that doesn't change it."""
    name = place.node.output[0]
    place.node.output[0] = "fault_raw"
    place.insert(1, helper.make_node("Identity", ["fault_raw"], [name], "no_fault"))
    return True


INJECT = {"scale": scale_weight, "relu": drop_activation, "axis": swap_axis, "fp16": cast_fp16, "none": pass_through}
# The op types in which a fault is looked for, what it is best known for first.
OPS = {
    "scale": [{"Conv", "ConvTranspose", "Gemm", "MatMul", "QLinearConv", "QLinearMatMul", "LSTM", "GRU", "RNN",
               "Einsum"},
              {"BatchNormalization", "LayerNormalization", "InstanceNormalization", "SkipLayerNormalization", "Scaler"},
              {"Mul", "PRelu"}, {"Add", "Sub", "Div", "Gather", "FusedConv", "FusedMatMul"}],
    "relu": [{"Relu"}, {"LeakyRelu", "PRelu", "Elu", "Selu"},
             {"Clip", "HardSigmoid", "HardSwish", "Gelu", "FastGelu", "BiasGelu", "Sigmoid", "Tanh", "Erf",
              "Softplus"}],
    "axis": [{"Softmax", "LogSoftmax"}, {"Transpose"}, {"Conv", "ConvTranspose", "MatMul", "Gemm"},
             {"Concat", "Gather", "ReduceMean", "ReduceSum", "ReduceMax", "ArgMax", "CumSum", "LayerNormalization"},
             {"Relu", "Add", "Mul", "MaxPool", "AveragePool"}],
    "fp16": [None],
    "none": [None],
}


def candidates(model, fault, usable, seed):
    """Sites for a fault, in random order within each group of OPS; usable(site, node) says which values can be seen."""
    nodes = [(site, Place(model, site).node) for site in sites(model.graph)]
    nodes = [(site, node) for site, node in nodes if usable(site, node)]
    result = []
    for ops in OPS[fault]:
        group = [site for site, node in nodes
                 if (node.op_type in ops if ops else node.op_type not in ("Constant", "Cast"))]
        random.Random(f"{seed} {fault}").shuffle(group)
        result += group
    return result

#!/usr/bin/env python3
"""Saves what the modules of a PyTorch model compute, to be compared with the exported ONNX model.

    import torch, pytorch_values
    model.eval()
    torch.onnx.export(model, (x,), "model.onnx", input_names=["x"], dynamo=True)
    pytorch_values.save(model, (x,), "torch.npz", "inputs.npz", ["x"])
    pytorch_values.write_map("model.onnx", "torch.npz", "names")

    onnx-expose run model.onnx --all --inputs inputs.npz -o dump
    onnx-expose compare torch.npz dump --map-file names

A module's value is called by the module's name: 'layer1.0.conv1', what the model returns '(model)'. The second value of a
module is 'lstm:1', what it computes when it is called again 'relu#1'. Only the functions that need torch import it.

Values are paired by what the exporter wrote down: which module a node comes from. Where that leaves a doubt there is no
pair. Convolutions that BatchNorm was folded into are among these: the model has what comes after BatchNorm only.
"""

import ast
import json
import re
import sys
import zipfile
from collections import Counter

import numpy as np

CALLS = "calls.json"  # in the .npz, besides the values


def tensors_of(output):
    """The tensors of what a module returns, in order."""
    if hasattr(output, "detach"):
        return [output]
    if isinstance(output, dict):
        output = list(output.values())
    if isinstance(output, (list, tuple)):
        return [tensor for item in output for tensor in tensors_of(item)]
    return []


def array_of(tensor):
    tensor = tensor.detach().cpu()
    if str(tensor.dtype) == "torch.bfloat16":  # numpy has no such type
        tensor = tensor.float()
    return tensor.numpy().copy()


class Recording:
    """What the modules of a model return, and how their calls hang together."""

    def __init__(self, model):
        self.values = {}  # name -> array
        self.same = {}    # name -> the earlier name of the very same tensor
        self.calls = []   # in the order in which they end
        self.names = {}   # every name of a module -> its first
        self._tensors = {}  # id -> (tensor, name); that tensors are held keeps ids from being used again
        first = {}
        for name, module in model.named_modules(remove_duplicate=False):
            self.names[name] = first.setdefault(id(module), name)
        self._times = Counter()
        self._inside = [[]]  # of each call that hasn't ended: the calls in it

    def before(self, _module, _inputs):
        self._inside.append([])

    def after(self, name):
        def save(module, inputs, output):
            key = name or "(model)"
            if self._times[name]:
                key += f"#{self._times[name]}"
            self._times[name] += 1
            read = [self._tensors[id(tensor)][1] for tensor in tensors_of(inputs) if id(tensor) in self._tensors]
            written = []
            for position, tensor in enumerate(tensors_of(output)):
                written.append(key if position == 0 else f"{key}:{position}")
                self._add(written[-1], tensor)
            inside = self._inside.pop()
            self._inside[-1].append(len(self.calls))
            self.calls.append({"module": name, "kind": type(module).__name__, "inside": inside, "read": read,
                               "written": written})
        return save

    def _add(self, name, tensor):
        array = array_of(tensor)
        _, earlier = self._tensors.get(id(tensor), (None, None))
        # The same object may hold other numbers by now: ReLU(inplace=True).
        if earlier and np.array_equal(self.values[earlier], array, equal_nan=array.dtype.kind == "f"):
            self.same[name] = self.same.get(earlier, earlier)
        self.values[name] = array
        self._tensors[id(tensor)] = (tensor, name)


def record(model, arguments, run=None):
    """Runs the model, or what `run` does with it, with hooks on all modules."""
    recording = Recording(model)
    handles = []
    for name, module in model.named_modules():
        handles += [module.register_forward_pre_hook(recording.before), module.register_forward_hook(recording.after(name))]
    try:
        (run or (lambda: model(*arguments)))()
    finally:
        for handle in handles:
            handle.remove()
    return recording


def write(recording, values_file):
    np.savez(values_file, **recording.values)
    with zipfile.ZipFile(values_file, "a") as archive:
        archive.writestr(CALLS, json.dumps({"calls": recording.calls, "same": recording.same, "names": recording.names}))


def save(model, arguments, values_file, inputs_file=None, input_names=()):
    """Runs the model without gradients, in its present mode, and saves values and inputs."""
    import torch

    with torch.no_grad():
        write(record(model, arguments), values_file)
    if inputs_file:
        np.savez(inputs_file, **{name: tensor.detach().cpu().numpy() for name, tensor in zip(input_names, arguments)})


def scopes_of(node, names):
    """Modules around a node, outermost first, and what tells the calls of the innermost apart."""
    for entry in getattr(node, "metadata_props", []):  # the onnx package has them since 1.16
        if entry.key == "pkg.torch.onnx.name_scopes":
            scopes = ast.literal_eval(entry.value)  # the last is the operation, whatever its name
            return [names[name] for name in scopes[:-1] if names.get(name)], "".join(scopes[-1:])
    # The older exporter names nodes '/layer1/layer1.0/relu_1/Relu': module by module, each from somewhere on the path to
    # it, with the number of the call.
    parts, modules, step = node.name.split("/")[1:-1], [], ""
    for depth, part in enumerate(parts):
        current = modules[-1] if modules else ""
        known = [name for name in joined(current, part) + joined(current, re.sub(r"_\d+$", "", part)) if name in names]
        if known:
            modules.append(names[known[0]])
            step = "/".join(parts[:depth + 1])
    return modules, step


def joined(module, part):
    """`part` below the module and below all that are around it, the innermost first."""
    around = module.split(".") if module else []
    return [".".join([*around[:length], part]) for length in range(len(around), -1, -1)]


def nodes_of_calls(model, calls, names):
    """For each call the places of its nodes, or none where they can't be told from those of another; all modules found."""
    around, own = {}, {}  # module -> runs of nodes in it, also deeper; module -> step -> nodes
    last, present = [], set()
    for index, node in enumerate(model.graph.node):
        modules, step = scopes_of(node, names)
        if not modules and not step and not node.name.startswith("/"):
            continue  # nobody knows where it comes from
        for module in modules:
            runs = around.setdefault(module, [])
            if module not in last:
                runs.append([])
            runs[-1].append(index)
        if modules:
            own.setdefault(modules[-1], {}).setdefault(step, []).append(index)
        last = modules
        present.update(modules)
    times, seen, result = Counter(call["module"] for call in calls), Counter(), []
    for call in calls:
        module, number = call["module"], seen[call["module"]]
        seen[module] += 1
        steps, runs = list(own.get(module, {}).values()), around.get(module, [])
        nodes = []
        if times[module] == 1:
            nodes = [index for run in runs for index in run]
        elif len(steps) == times[module]:
            nodes = steps[number] + [index for inner in call["inside"] for index in result[inner]]
        elif len(runs) == times[module]:
            nodes = runs[number]
        result.append(nodes)
    return result, present


def uses_of(graph):
    """value -> places of the nodes that read it, also from their bodies; -1 stands for the graph's outputs."""
    uses = {value.name: {-1} for value in graph.output}

    def read(node, index):
        for name in node.input:
            uses.setdefault(name, set()).add(index)
        for attribute in node.attribute:
            for inner in attribute.g.node:
                read(inner, index)

    for index, node in enumerate(graph.node):
        read(node, index)
    return uses


def types_of(model):
    """value -> type, as far as it is known."""
    import onnx

    try:
        model = onnx.shape_inference.infer_shapes(model)
    except Exception:  # noqa: BLE001  then those that the model states
        pass
    return {value.name: value.type.tensor_type for value in [*model.graph.value_info, *model.graph.output]}


def fits(array, kind):
    """Whether a value of that ONNX type may be this array."""
    import onnx

    if kind is None:
        return True
    name = onnx.TensorProto.DataType.Name(kind.elem_type)
    if kind.elem_type and ("FLOAT" in name or name == "DOUBLE") != (array.dtype.kind == "f"):
        return False
    dims = [dim.dim_value for dim in kind.shape.dim]
    return not kind.HasField("shape") or len(dims) == array.ndim and all(
        have in (0, want) for have, want in zip(dims, array.shape))


def pairs_of(model, archive):
    """(name of the module's value, name of the ONNX value), in the order of the run."""
    said = json.loads(archive[CALLS])
    calls, same, names = said["calls"], said["same"], said["names"]
    uses, types, pairs = uses_of(model.graph), types_of(model), {}
    groups, present = nodes_of_calls(model, calls, names)
    kinds = {name: call["kind"] for call in calls for name in call["written"] if name not in same}

    outputs = [same.get(name, name) for name in calls[-1]["written"]]  # the model itself ends last
    if len(outputs) == len(model.graph.output):
        pairs.update(zip(outputs, [value.name for value in model.graph.output]))
    for call, nodes in zip(calls, groups):
        open_names = [name for name in call["written"] if name not in same and name not in pairs]
        if call["module"] not in present:  # nothing computes it
            read = same.get(call["read"][0], call["read"][0]) if call["read"] else None
            if "BatchNorm" in call["kind"] and read in pairs and re.search("Conv|Linear", kinds[read]):
                pairs.setdefault(call["written"][0], pairs.pop(read))  # folded
            continue
        taken = {pairs.get(same.get(name, name)) for name in call["written"]}
        leaving = [name for index in nodes for name in model.graph.node[index].output
                   if uses.get(name, set()) - set(nodes) and name not in taken
                   and model.graph.node[index].op_type != "Constant"]
        fitting = {name: [value for value in leaving if fits(archive[name], types.get(value))] for name in open_names}
        claims = Counter(value for values in fitting.values() for value in values)
        pairs.update({name: values[0] for name, values in fitting.items() if len(values) == 1 == claims[values[0]]})
    return [(name, pairs[same.get(name, name)]) for call in calls for name in call["written"]
            if same.get(name, name) in pairs]


def write_map(onnx_file, values_file, map_file):
    """Writes the --map-file: name of the module's value, tab, name of the ONNX value."""
    import onnx

    with np.load(values_file) as archive:
        pairs = pairs_of(onnx.load(onnx_file, load_external_data=False), archive)
    with open(map_file, "w", encoding="utf-8") as file:
        file.writelines(f"{name}\t{value}\n" for name, value in pairs)
    return pairs


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: pytorch_values.py MODEL.onnx VALUES.npz MAP_FILE")
    write_map(*sys.argv[1:])

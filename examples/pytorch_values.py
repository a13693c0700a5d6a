#!/usr/bin/env python3
"""Saves what the modules of a PyTorch model compute, to be compared with the exported ONNX model.

    import torch, pytorch_values
    torch.onnx.export(model, (x,), "model.onnx", dynamo=True)
    pytorch_values.save(model, (x,), "torch.npz", "inputs.npz", ["x"])
    pytorch_values.write_map("model.onnx", "torch.npz", "names")

    onnx-expose run model.onnx --all --inputs inputs.npz -o dump
    onnx-expose compare torch.npz dump --map-file names

A module's value is called by the module's name: 'layer1.0.conv1'. Modules that run several times are saved once for each
time: 'decoder', 'decoder#1', ... Only the functions that need torch import it.
"""

import json
import sys

import numpy as np


def tensors_of(output):
    """The tensors of what a module returns, in order."""
    if hasattr(output, "detach"):
        return [output]
    if isinstance(output, dict):
        output = list(output.values())
    if isinstance(output, (list, tuple)):
        return [tensor for item in output for tensor in tensors_of(item)]
    return []


def record(model, arguments, run=None):
    """name -> array of everything that the modules of `model` return."""
    values, times = {}, {}

    def hook(name):
        def save(_module, _inputs, output):
            number = times.get(name, 0)
            times[name] = number + 1
            key = name if number == 0 else f"{name}#{number}"
            for position, tensor in enumerate(tensors_of(output)):
                tensor = tensor.detach().cpu()
                if str(tensor.dtype) == "torch.bfloat16":  # numpy has no such type
                    tensor = tensor.float()
                values[key if position == 0 else f"{key}:{position}"] = tensor.numpy().copy()
        return save

    handles = [module.register_forward_hook(hook(name)) for name, module in model.named_modules() if name]
    try:
        (run or (lambda: model(*arguments)))()
    finally:
        for handle in handles:
            handle.remove()
    return values


def save(model, arguments, values_file, inputs_file=None, input_names=()):
    """Runs the model without gradients, in its present mode, and saves values and inputs."""
    import torch

    with torch.no_grad():
        np.savez(values_file, **record(model, arguments))
    if inputs_file:
        np.savez(inputs_file, **{name: tensor.detach().cpu().numpy() for name, tensor in zip(input_names, arguments)})


def scopes_of(node):
    """Names of the modules around a node, outermost first, as the exporter wrote them down."""
    for entry in node.metadata_props:
        if entry.key == "pkg.torch.onnx.name_scopes":
            text = entry.value
            try:
                return [name for name in json.loads(text.replace("'", '"')) if name]
            except ValueError:
                return []
    # The older exporter names nodes '/layer1/layer1.0/conv1/Conv'.
    parts = [part for part in node.name.split("/") if part]
    return [part for part in parts[:-1] if part]


def module_of(scopes, modules):
    """The innermost module that was recorded. Scopes are whole names, or parts of them."""
    current = None
    for part in scopes:
        joined = f"{current}.{part}" if current else part
        current = next((name for name in (joined, part) if name in modules), current)
    return current


def pairs_of(model, modules):
    """(module, value): of each module the last value that its nodes compute."""
    last = {}
    for node in model.graph.node:
        module = module_of(scopes_of(node), modules)
        while module:
            if node.output:
                last[module] = node.output[0]
            # What ends a module may end those around it, too.
            module = module.rpartition(".")[0]
            while module and module not in modules:
                module = module.rpartition(".")[0]
    return sorted(last.items())


def write_map(onnx_file, values_file, map_file):
    """Writes the --map-file: module, tab, name of the ONNX value."""
    import onnx

    modules = set(np.load(values_file).files)
    pairs = pairs_of(onnx.load(onnx_file, load_external_data=False), modules)
    with open(map_file, "w", encoding="utf-8") as file:
        file.writelines(f"{module}\t{value}\n" for module, value in pairs)
    return pairs


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: pytorch_values.py MODEL.onnx VALUES.npz MAP_FILE")
    write_map(*sys.argv[1:])

#!/usr/bin/env python3
"""Injects known faults into real models; `compare` must name the node, and nothing where nothing was injected.

    compare_faults.py --tool BIN [--models default|full] [--filter RE] [--seed N] [--largest BYTES] [-v]

Faults, each into one node: a weight scaled by 1.02, a Relu dropped, an axis swapped (Softmax, Transpose of equal dims),
a result cast to float16 and back. A node whose result the fault doesn't change bit by bit is passed over for another.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    import fetch_models
    from feeds import feeds_for, read_manifest, stored_folder
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

TRIES = 4


def candidates(model, types, wanted):
    return [index for index, node in enumerate(model.graph.node) if wanted(node, types)]


def float_type(types, name):
    return name in types and types[name].elem_type == TensorProto.FLOAT


def scale_weight(model, index):
    node = model.graph.node[index]
    weights = {item.name: item for item in model.graph.initializer}
    for position, name in enumerate(node.input):
        if position and name in weights and weights[name].data_type == TensorProto.FLOAT:
            array = numpy_helper.to_array(weights[name])
            model.graph.initializer.append(numpy_helper.from_array(array * np.float32(1.02), "fault_weight"))
            node.input[position] = "fault_weight"
            return True
    return False


def drop_relu(model, index):
    node = model.graph.node[index]
    node.op_type = "Identity"
    del node.attribute[:]
    return True


def swap_axis(model, index):
    node = model.graph.node[index]
    for attribute in node.attribute:
        if node.op_type == "Softmax" and attribute.name == "axis":
            attribute.i = 0 if attribute.i != 0 else 1
            return True
        if node.op_type == "Transpose" and attribute.name == "perm" and len(attribute.ints) > 1:
            attribute.ints[-1], attribute.ints[-2] = attribute.ints[-2], attribute.ints[-1]
            return True
    return False


def cast_fp16(model, index):
    node = model.graph.node[index]
    name = node.output[0]
    node.output[0] = "fault_raw"
    casts = [helper.make_node("Cast", ["fault_raw"], ["fault_half"], "fault_to_half", to=TensorProto.FLOAT16),
             helper.make_node("Cast", ["fault_half"], [name], "fault_back", to=TensorProto.FLOAT)]
    for offset, cast in enumerate(casts):
        model.graph.node.insert(index + 1 + offset, cast)
    return True


FAULTS = {
    "scale": (lambda node, types: node.op_type in ("Conv", "Gemm", "MatMul", "ConvTranspose"), scale_weight),
    "relu": (lambda node, types: node.op_type == "Relu", drop_relu),
    "axis": (lambda node, types: node.op_type in ("Softmax", "Transpose"), swap_axis),
    "fp16": (lambda node, types: float_type(types, node.output[0]) and node.op_type not in ("Constant", "Cast"),
             cast_fp16),
}


def types_of(model):
    try:
        inferred = onnx.shape_inference.infer_shapes(model)
    except Exception:  # noqa: BLE001  whatever the model is, the types are then those it declares
        inferred = model
    values = [*inferred.graph.value_info, *inferred.graph.output]
    return {value.name: value.type.tensor_type for value in values}


def compare(tool, a, b, inputs, folder):
    run = subprocess.run([tool, "compare", a, b, "--inputs", inputs, "--json", "-o", folder], capture_output=True,
                         text=True, check=False)
    if run.returncode not in (0, 1):
        return None, run.stderr
    return json.loads(run.stdout), run.stderr


def load(folder, name):
    manifest = json.loads((folder / "manifest.json").read_text())
    for value in manifest["values"]:
        if value["name"] == name and value["file"]:
            return np.load(folder / value["file"], allow_pickle=False)
    return None


def changed(folder, name):
    """Whether a fault had an effect: nothing if that can't be known."""
    a, b = load(folder / "a", name), load(folder / "b", name)
    if a is None or b is None:
        return None
    return a.shape != b.shape or a.tobytes() != b.tobytes()


def try_fault(tool, path, model, types, name, index, inputs, work):
    """'named', 'no effect', 'no run', or what went wrong."""
    value = model.graph.node[index].output[0]
    faulty = onnx.ModelProto()
    faulty.CopyFrom(model)
    if not FAULTS[name][1](faulty, index):
        return "no effect"
    target = work / "faulty.onnx"
    onnx.save(faulty, str(target))
    folder = work / f"{name}{index}"
    result, text = compare(tool, target, path, inputs, folder)
    if result is None:
        return "no run"
    effect = changed(folder, value)
    named = [entry["name"] for entry in result["first_divergence"]]
    if value in named:
        return "named" if len(named) == 1 else f"{value} is named among {named}"
    if effect is False or effect is None:
        return "no effect"
    entry = next(each for each in result["values"] if each["name"] == value)
    return f"{value} differs by {entry['max_abs']} (SNR {entry['snr_db']} dB), named {named}"


def judge(tool, path, seed, work):
    """Lines about a model and how many of them are failures."""
    model = onnx.load(str(path))
    inputs = stored_folder(path, model)
    if inputs is None:
        inputs = work / "inputs.npz"
        np.savez(inputs, **feeds_for(path, model))
    result, text = compare(tool, path, path, inputs, work / "same")
    if result is None:
        return [f"not run: {text.strip().splitlines()[-1]}"], 0, 0
    if result["verdict"] != "same" or result["first_divergence"]:
        return [f"FAILED: differs from itself: {result['first_divergence']}"], 1, 0
    types, rng = types_of(model), random.Random(seed)
    lines, failures, named = [], 0, 0
    for name, (wanted, _) in FAULTS.items():
        nodes = candidates(model, types, wanted)
        rng.shuffle(nodes)
        outcome = "no node"
        for index in nodes[:TRIES]:
            outcome = try_fault(tool, path, model, types, name, index, inputs, work)
            if outcome not in ("no effect", "no run"):
                break
        bad = outcome not in ("named", "no effect", "no run", "no node")
        failures += bad
        named += outcome == "named"
        lines.append(f"{'FAILED: ' if bad else ''}{name}: {outcome}")
    return lines, failures, named


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--models", choices=["default", "full"], default="full")
    parser.add_argument("--filter", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=12_000_000, help="bytes of a model")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    rows = [row for row in read_manifest() if options.models == "full" or row["set"] == "default"]
    paths = [fetch_models.MODELS / f"{row['id']}.onnx" for row in rows if re.search(options.filter, row["id"])]
    paths = [path for path in paths if path.exists() and path.stat().st_size <= options.largest]
    if not paths:
        print("no models in the cache: tests/real/fetch_models.py fetches them")
        return 77
    failures, named, judged = 0, 0, 0
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            lines, bad, good = judge(options.tool, path, options.seed, Path(folder))
        failures, named, judged = failures + bad, named + good, judged + (good > 0)
        if options.verbose or bad:
            print(f"{path.stem}: {'; '.join(lines)}", flush=True)
    print(f"{named} faults in {judged} of {len(paths)} models named, {failures} failures")
    return 1 if failures or not named else 0


if __name__ == "__main__":
    sys.exit(main())

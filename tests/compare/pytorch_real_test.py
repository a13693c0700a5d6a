#!/usr/bin/env python3
"""examples/pytorch_values.py with PyTorch itself: every pair is right, and a fault in the ONNX model is named.

    pytorch_real_test.py --tool BIN [--only NAME] [-v]

Each network is exported by all exporters that this PyTorch has. What may stay without a pair: a convolution that BatchNorm
was folded into, dropout, and what a module returns besides its first value. Needs torch, onnx and numpy, the newer exporter
also onnxscript (exit 77 without torch).
"""

import argparse
import contextlib
import importlib.util
import inspect
import io
import json
import logging
import subprocess
import sys
import tempfile
import warnings
import zipfile
from pathlib import Path

try:
    import numpy as np
    import onnx
    import torch
    from onnx import numpy_helper
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
import pytorch_values  # noqa: E402
from pytorch_networks import networks  # noqa: E402

# Classes of modules without a pair, as nothing in the model computes them, and modules whose values can't be told apart:
# two of one shape, calls that follow each other (which only the older exporter numbers).
MAY_LACK = ("Conv", "Dropout", "Swapped")
MAY_LACK_IN_DYNAMO = ("Block",)


def exporters():
    """name -> arguments of torch.onnx.export"""
    if "dynamo" not in inspect.signature(torch.onnx.export).parameters:
        return {"torchscript": {}}
    found = {"torchscript": {"dynamo": False}}
    if importlib.util.find_spec("onnxscript"):
        found["dynamo"] = {"dynamo": True}
    return found


def compare(tool, work, model):
    """What compare says of the recorded values and those that `model` computes."""
    dump = work / f"{model.stem}_dump"
    subprocess.run([tool, "-q", "run", model, "--all", "--inputs", work / "in.npz", "-o", dump, "-f"], check=True,
                   stdout=subprocess.DEVNULL)
    run = subprocess.run([tool, "compare", work / "torch.npz", dump, "--map-file", work / "names", "--json"],
                         capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise SystemExit(run.stderr)
    return json.loads(run.stdout)


def inject(model, value):
    """Shifts the weights of the node that computes `value`; False if it has none."""
    node = next(node for node in model.graph.node if value in node.output)
    for position, name in enumerate(node.input):
        for tensor in model.graph.initializer:
            if tensor.name == name and tensor.data_type == onnx.TensorProto.FLOAT and np.prod(tensor.dims) > 1:
                array = numpy_helper.to_array(tensor) + np.float32(0.1)
                model.graph.initializer.append(numpy_helper.from_array(array, "fault"))
                node.input[position] = "fault"
                return True
    return False


def faults(tool, work, pairs):
    """How many faults were injected, each alone, and what is wrong with what is named."""
    injected, wrong = 0, []
    for value in dict.fromkeys(value for _, value in pairs):
        model = onnx.load(str(work / "m.onnx"))
        if not inject(model, value):
            continue
        injected += 1
        onnx.save(model, str(work / "faulty.onnx"))
        named = {entry["name"] for entry in compare(tool, work, work / "faulty.onnx")["first_divergence"]}
        if not named or not named <= {name for name, paired in pairs if paired == value}:
            wrong.append(f"a fault in {value}: named {sorted(named)}")
        if injected == 4:
            break
    return injected, wrong


def judge(tool, work, model, arguments, flags, may_lack):
    """What was seen, and what is wrong."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        torch.onnx.export(model, arguments, str(work / "m.onnx"), input_names=["x"], **flags)
    pytorch_values.save(model, arguments, work / "torch.npz", work / "in.npz", ["x"])
    pairs = pytorch_values.write_map(str(work / "m.onnx"), work / "torch.npz", work / "names")
    values = [value for value in compare(tool, work, work / "m.onnx")["values"] if value["name_a"]]
    wrong = [f"{value['name_a']} is {value['name_b']}: {value['verdict']}, off by {value['max_abs']}" for value in values
             if value["name_b"] and value["verdict"] not in ("identical", "close")]
    with zipfile.ZipFile(work / "torch.npz") as archive:
        kinds = {name: (call["kind"], position) for call in json.loads(archive.read(pytorch_values.CALLS))["calls"]
                 for position, name in enumerate(call["written"])}
    lone = [value["name_a"] for value in values if not value["name_b"]]
    wrong += [f"{name} has no pair" for name in lone if not kinds[name][1] and not kinds[name][0].startswith(may_lack)]
    if not any(name == "(model)" for name, _ in pairs):
        wrong.append("what the model returns has no pair")
    injected, more = faults(tool, work, pairs)
    return f"{len(pairs)} of {len(values)} paired, {injected} faults; not paired: {' '.join(lone)}", wrong + more


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--only", default="", metavar="NAME")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    failed = 0
    for exporter, flags in exporters().items():
        may_lack = MAY_LACK + (MAY_LACK_IN_DYNAMO if exporter == "dynamo" else ())
        for name, (model, arguments) in networks().items():
            if options.only not in name:
                continue
            with tempfile.TemporaryDirectory() as folder:
                seen, wrong = judge(options.tool, Path(folder), model, arguments, flags, may_lack)
            failed += bool(wrong)
            if wrong or options.verbose:
                print("\n  ".join([f"{'FAILED: ' if wrong else ''}{name}, {exporter}: {seen}", *wrong]), flush=True)
    print(f"PyTorch {torch.__version__}, {', '.join(exporters())}: {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

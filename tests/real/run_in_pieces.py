#!/usr/bin/env python3
"""Runs small models with `--max-memory` in several sizes: dumps must equal those of the plain run, byte for byte.

  run_in_pieces.py --tool BIN

Control flow with captured values, sequences, sizes that only the run tells, values read again much later (they wait in
files), inputs and initializers that are outputs, IR version 3, several data sets; and pieces that turn out to need more
than the budget, or than the system has: they are cut and run again.
"""

import argparse
import filecmp
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.helper import make_node as node

SIZES = ("1", "100K", "9M", "64M")
MEGABYTE = 1 << 20


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def constant(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def model(nodes, inputs, outputs, initializers=(), ir=8, opset=17):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir)


def three_nodes(inputs, outputs, **version):
    nodes = [node("Add", ["x", "w"], ["a"]), node("Neg", ["a"], ["b"]), node("Mul", ["b", "w"], ["y"])]
    return model(nodes, inputs, outputs, [constant("w", np.arange(16, dtype=np.float32).reshape(4, 4))], **version)


def unknown_sizes():
    nodes = [node("NonZero", ["x"], ["nz"]), node("Transpose", ["nz"], ["at"], perm=[1, 0]),
             node("GatherND", ["x", "at"], ["g"]), node("Unique", ["g"], ["u", "ui"], axis=0), node("Shape", ["u"], ["s"]),
             node("ConstantOfShape", ["s"], ["z"]), node("Add", ["u", "z"], ["p"]), node("Concat", ["p", "p"], ["c"], axis=0),
             node("Reshape", ["c", "two"], ["r"]), node("Transpose", ["r"], ["rt"]), node("MatMul", ["r", "rt"], ["y"])]
    return model(nodes, [value("x", [64, 2048])], [value("y", None)], [constant("two", np.array([2, -1], np.int64))])


def skips(elements, kind="Neg"):
    nodes = [node("Sigmoid", ["x"], ["v0"])]
    nodes += [node("Relu" if i % 2 else kind, [f"v{i - 1}"], [f"v{i}"]) for i in range(1, 30)]
    last = "v29"
    for i in range(29, -1, -3):
        nodes.append(node("Add", [last, f"v{i}"], [f"s{i}"]))
        last = f"s{i}"
    return model(nodes, [value("x", [1, elements])], [value(last, [1, elements])])


def sequences():
    nodes = [node("SplitToSequence", ["x"], ["q"], axis=0, keepdims=0), node("SequenceLength", ["q"], ["n"]),
             node("SequenceInsert", ["q", "z"], ["q2"]), node("ConcatFromSequence", ["q2"], ["c"], axis=0, new_axis=1),
             node("Neg", ["c"], ["y"]), node("SequenceAt", ["q", "zero"], ["e"]), node("Abs", ["e"], ["e2"])]
    initializers = [constant("z", np.zeros(7, np.float32)), constant("zero", np.array(0, np.int64))]
    return model(nodes, [value("x", [5, 7])], [value("y", [6, 7])], initializers)


def loop():
    nodes = [node("Add", ["st", "cap"], ["st2"]), node("Neg", ["st2"], ["sc"]), node("Identity", ["cin"], ["cout"])]
    body = helper.make_graph(
        nodes, "b", [value("it", [], TensorProto.INT64), value("cin", [], TensorProto.BOOL), value("st", [4])],
        [value("cout", [], TensorProto.BOOL), value("st2", [4]), value("sc", [4])])
    nodes = [node("Abs", ["x"], ["cap"]), node("Loop", ["five", "", "x"], ["fin", "scan"], body=body),
             node("ReduceSum", ["scan"], ["r"], keepdims=0), node("Add", ["fin", "r"], ["y"])]
    return model(nodes, [value("x", [4])], [value("y", [4])], [constant("five", np.array(5, np.int64))])


def models():
    x, w, y = value("x", [4, 4]), value("w", [4, 4]), value("y", [4, 4])
    return {"unknown_sizes": unknown_sizes(), "skips": skips(MEGABYTE // 2), "sequences": sequences(), "loop": loop(),
            "given_outputs": three_nodes([x], [x, w, y]), "ir3": three_nodes([x, w], [y], ir=3, opset=9),
            "default": three_nodes([x, w], [y, w], opset=13)}


def run(tool, path, folder, flags, **options):
    command = [tool, "run", path, "--all", "--include-constants", "-q", "--json", "-o", folder, "--force", *flags]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    return done.returncode, json.loads(done.stdout) if done.returncode == 0 else done.stderr


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.np[yz]"))


def peak(tool, path, folder, flags):
    """Bytes resident at the most."""
    command = [tool, "run", path, "--all", "-q", "-o", folder, "--force", *flags]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss * 1024 if status == 0 else None


def difference(plain, pieces):
    if files(plain) != files(pieces):
        return "other files"
    wrong = [name for name in files(plain) if not filecmp.cmp(plain / name, pieces / name, shallow=False)]
    return f"{wrong[0]} differs" if wrong else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help="the onnx-expose binary")
    tool = os.path.abspath(parser.parse_args().tool)
    problems, most = [], 0

    with tempfile.TemporaryDirectory(prefix="pieces.") as base:
        base = Path(base)

        def compare(name, path, flags, sizes):
            nonlocal most
            code, said = run(tool, path, base / "plain", flags)
            for size in sizes:
                if code == 0:
                    code, said = run(tool, path, base / "pieces", [*flags, "--max-memory", size])
                if code != 0:
                    problems.append(f"{name}, {size}: exit {code}: {said}")
                    return
                most = max(most, said["pieces"])
                wrong = difference(base / "plain", base / "pieces")
                if wrong:
                    problems.append(f"{name}, {size}, {said['pieces']} pieces: {wrong}")
                if size == SIZES[0] and said["pieces"] == 1:
                    problems.append(f"{name}: one piece in {size} bytes")
            subprocess.run(["rm", "-r", base / "plain", base / "pieces"], check=True)

        for name, made in models().items():
            onnx.save(made, base / f"{name}.onnx")
            compare(name, base / f"{name}.onnx", ["--random", "x=normal(0,1)"], SIZES)

        (base / "sets").mkdir()
        for index in range(3):
            np.savez(base / "sets" / f"{index}.npz", x=np.full((4, 4), index, np.float32))
        compare("data sets", base / "given_outputs.onnx", ["--inputs", base / "sets" / "*.npz"], SIZES[:1])

        # Sizes are promised to be small (an unknown number of copies) and aren't: pieces are cut again and run again.
        nodes = [node("Tile", ["x", "n"], ["t0"])] + [node("Neg", [f"t{i}"], [f"t{i + 1}"]) for i in range(7)]
        made = model(nodes, [value("x", [1, MEGABYTE]), value("n", [2], TensorProto.INT64)], [value("t7", None)])
        onnx.save(made, base / "tile.onnx")
        flags = ["--random", "n=constant(5)", "--max-memory", "256M", "--stats-only"]
        code, said = run(tool, base / "tile.onnx", base / "tile", flags)
        if code != 0 or said["pieces"] < 4 or said["warnings"]:
            problems.append(f"too large: {said if code else (said['pieces'], said['warnings'])}")
        resident = peak(tool, base / "tile.onnx", base / "tile", flags)
        if resident is None or resident > 356 * MEGABYTE:
            problems.append(f"too large: {resident} bytes resident")

        # The system has less than they take.
        limit = (700 * MEGABYTE, 700 * MEGABYTE)
        flags = ["--random", "n=constant(5)", "--max-memory", "64G", "--stats-only", "--no-verify"]
        code, said = run(tool, base / "tile.onnx", base / "tile", flags,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
        if code != 0 or said["pieces"] == 1:
            problems.append(f"too little memory: {said if code else 'one piece'}")

        left = [path.name for path in base.glob(".onnx-expose-*")]
        if left:
            problems.append(f"left behind: {left}")

    for problem in problems:
        print(f"FAIL {problem}")
    print(f"{len(models())} models, up to {most} pieces, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

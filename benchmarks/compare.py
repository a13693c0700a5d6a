#!/usr/bin/env python3
"""Times onnx-expose side by side with what people would use instead, in one run, and prints ratios.

  compare.py --tool build/release/onnx-expose [--gigabytes 1.9] [--dump-gigabytes 2] [--repeats 5]

  - 60 values of a single-file model of 1.9 GB, against `cp` of the same file
  - every value of a chain of 100,000 nodes, against the plain Python script (load, infer, append, save)
  - --help, and one value of a small model
  - two folders of values that differ everywhere, in the table and in full (--json), and two that are the same, against
    `cat` of both to nowhere; all in memory if there is enough of it

The runs alternate; the figures are medians. Needs onnx and numpy (tests/requirements.txt) and about 10 GB of disk.
"""

import argparse
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time

PLAIN_SCRIPT = """
import sys, onnx
model = onnx.load(sys.argv[1])
types = {info.name: info for info in onnx.shape_inference.infer_shapes(model).graph.value_info}
known = {output.name for output in model.graph.output}
for node in model.graph.node:
    model.graph.output.extend(types[name] for name in node.output if name in types and name not in known)
onnx.save(model, sys.argv[2])
"""


def varint(value):
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def chain(nodes):
    """x -> Relu -> v1 -> ... -> v<nodes>"""
    from onnx import TensorProto, helper

    names = ["x"] + [f"v{i + 1}" for i in range(nodes)]
    ops = [helper.make_node("Relu", [names[i]], [names[i + 1]], name=f"n{i}") for i in range(nodes)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4]) for name in (names[0], names[-1])]
    graph = helper.make_graph(ops, "chain", ends[:1], ends[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def onnx_model_tail(model):
    """The opset imports, which come behind the graph."""
    tail = type(model)()
    tail.opset_import.extend(model.opset_import)
    return tail.SerializeToString()


def write_large(path, gigabytes):
    """A chain of 60 nodes and weights of this size, written piece by piece: protobuf would hold them in memory."""
    from onnx import TensorProto

    model = chain(61)
    # In field order, as protobuf libraries write: nodes and name, initializers, inputs and outputs.
    front, back = type(model.graph)(), type(model.graph)()
    front.node.extend(model.graph.node)
    front.name = model.graph.name
    back.input.extend(model.graph.input)
    back.output.extend(model.graph.output)
    front, back = front.SerializeToString(), back.SerializeToString()
    opsets = onnx_model_tail(model)
    model.ClearField("graph")
    model.ClearField("opset_import")
    tensors = 4
    size = int(gigabytes * 1e9) // tensors // 4096 * 4096
    heads = []
    for i in range(tensors):
        tensor = TensorProto(name=f"w{i}", data_type=TensorProto.FLOAT, dims=[size // 4096, 1024])
        head = tensor.SerializeToString() + b"\x4a" + varint(size)  # raw_data
        heads.append(b"\x2a" + varint(len(head) + size) + head)  # graph.initializer
    block = os.urandom(1 << 20)
    with open(path, "wb") as out:
        out.write(model.SerializeToString())
        out.write(b"\x3a" + varint(len(front) + sum(map(len, heads)) + tensors * size + len(back)) + front)
        for head in heads:
            out.write(head)
            for start in range(0, size, len(block)):
                out.write(block[: min(len(block), size - start)])
        out.write(back + opsets)


def make_models(folder, gigabytes):
    import onnx

    onnx.save(chain(2), os.path.join(folder, "small.onnx"))
    onnx.save(chain(100000), os.path.join(folder, "chain.onnx"))
    write_large(os.path.join(folder, "large.onnx"), gigabytes)


def make_values(folder, gigabytes):
    """Values of 10 MB: a, and b with noise far above the tolerance in half of them, near it in the others."""
    import numpy

    random = numpy.random.default_rng(1)
    shape = (2560, 1024)
    noise = [random.normal(size=shape).astype(numpy.float32) for _ in range(4)]
    for side in "ab":
        os.mkdir(os.path.join(folder, side))
    for i in range(int(gigabytes * 1e9 / noise[0].nbytes)):
        a = numpy.roll(noise[i % 2], i, 0)
        numpy.save(os.path.join(folder, "a", f"v{i:04}.npy"), a)
        numpy.save(os.path.join(folder, "b", f"v{i:04}.npy"), a + (0.1 if i % 2 else 1e-4) * noise[2 + i % 2])


def run(command, status=0):
    """(seconds, MiB at the peak)"""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read()
    _, ended, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(ended) not in (0, status):
        sys.exit(f"{command}: {said.decode(errors='replace')}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def alternate(commands, repeats, outputs=(), status=0):
    """By command: (median seconds, MiB at the most)."""
    figures = [[] for _ in commands]
    for _ in range(repeats):
        for command, seen in zip(commands, figures):
            for output in outputs:
                if os.path.exists(output):
                    os.remove(output)
            seen.append(run(command, status))
    return [(statistics.median(s for s, _ in seen), max(m for _, m in seen)) for seen in figures]


def in_process(function, *arguments):
    """One of its own: the kernel counts the memory of whoever starts a program as that program's peak."""
    maker = multiprocessing.get_context("spawn").Process(target=function, args=arguments)
    maker.start()
    maker.join()
    if maker.exitcode:
        sys.exit(f"{function.__name__} failed")


def report(what, ours, other=None, other_name=""):
    line = f"{what:<42} {ours[0] * 1000:9.1f} ms {ours[1]:7.1f} MiB"
    if other:
        line += f"   {other_name} {other[0] * 1000:9.1f} ms {other[1]:7.1f} MiB   ratio {ours[0] / other[0]:.2f}"
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--gigabytes", type=float, default=1.9)
    parser.add_argument("--dump-gigabytes", type=float, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    tool = os.path.abspath(options.tool)
    with tempfile.TemporaryDirectory(prefix="onnx-expose-bench.") as folder:
        large, long, small, out, script = (
            os.path.join(folder, name) for name in ("large.onnx", "chain.onnx", "small.onnx", "out.onnx", "plain.py"))
        in_process(make_models, folder, options.gigabytes)
        with open(script, "w", encoding="utf-8") as text:
            text.write(PLAIN_SCRIPT)

        ours, = alternate([[tool, "--help"]], 20)
        report("--help", ours)
        ours, = alternate([[tool, small, "--all", "-o", out]], 20, [out])
        report("small model, --all", ours)
        ours, plain = alternate(
            [[tool, long, "--all", "-o", out], [sys.executable, script, long, out]], options.repeats, [out])
        report("chain of 100,000 nodes, --all", ours, plain, "Python")
        ours, copy = alternate([[tool, large, "--ops", "Relu", "-o", out], ["cp", large, out]], options.repeats, [out])
        report(f"{options.gigabytes} GB, 60 outputs added", ours, copy, "cp")
        os.remove(large)
        os.remove(out)

        in_process(make_values, folder, options.dump_gigabytes)
        a, b = (os.path.join(folder, side) for side in "ab")
        different = [tool, "compare", a, b]
        for what, command, side in ((f"compare, {options.dump_gigabytes} GB a side", different, b),
                                    ("the same with --json", different + ["--json"], b),
                                    ("compare of what is the same", [tool, "compare", a, a], a)):
            read = ["sh", "-c", f"cat {a}/* {side}/* > /dev/null"]
            ours, cat = alternate([command, read], options.repeats, status=1)
            report(what, ours, cat, "cat")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Each exposed inner value is what a computation by hand gives, node by node.

  unrolled.py --tool BIN [--count 40] [--seed 1]

Random models with If, Loop, Scan and functions in each other (names that siblings and functions repeat, omitted outputs,
shapes that grow, calls that disagree about types) are computed twice: exposed with `--deep` by ONNX Runtime in one go,
and by hand: calls inlined, loops unrolled, branches decided, every other node alone in ONNX Runtime. The values that
come out must be the same bits, `strip` must give the model back, and no value may be left out.

Needs onnx and onnxruntime (tests/requirements.txt); without them the test is skipped (exit 77).
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
OPSETS = [helper.make_opsetid("", 18), helper.make_opsetid("my", 1)]


# --- random models -------------------------------------------------------------------------------------------------


class Block:
    """Nodes of one scope, and the values they can read: of shape [2], and of rank 1 and any size."""

    def __init__(self, fixed, growing, depth):
        self.nodes, self.fixed, self.growing, self.depth = [], list(fixed), list(growing), depth

    def inner(self):
        return Block(self.fixed, self.growing, self.depth + 1)


class Generator:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.functions = []
        for _ in range(self.dice.randrange(3)):
            self.functions.append(self.function())

    def model(self):
        block = Block(["x"], [], 0)
        for function in self.functions:
            self.call(block, function)
        self.fill(block, self.dice.randint(2, 5))
        values = [("x", FLOAT, [2]), ("xs", FLOAT, [2, 2]), ("c", BOOL, [])]
        inputs = [helper.make_tensor_value_info(*value) for value in values]
        outputs = [helper.make_tensor_value_info(block.fixed[-1], FLOAT, [2])]
        if block.fixed[-1] == "x":
            outputs = [helper.make_tensor_value_info(self.unary(block, "x"), FLOAT, [2])]
        graph = helper.make_graph(block.nodes, "g", inputs, outputs)
        return helper.make_model(graph, opset_imports=OPSETS, functions=self.functions, ir_version=9)

    def function(self):
        block = Block(["x"], [], 0)
        self.node(block, "Cast", ["x"], extra={"to": "@to"}, names=["typed"])
        # What the branches compute has another element type in each call.
        branches = [Block(["typed"], [], 1), Block(["typed"], [], 1)]
        ends = [onnx.ValueInfoProto(name=self.unary(branch, "typed")) for branch in branches]
        self.node(block, "If", ["c"], graphs=zip(("then_branch", "else_branch"), branches, ends), names=["chosen"])
        self.node(block, "Cast", ["chosen"], extra={"to": FLOAT})
        block.fixed.append(block.nodes[-1].output[0])
        self.fill(block, self.dice.randint(1, 3))
        imports = OPSETS
        return helper.make_function("my", f"F{len(self.functions)}", ["x", "xs", "c"], [block.fixed[-1]], block.nodes,
                                    imports, ["to"])

    def fill(self, block, count):
        kinds = [self.unary, self.add, self.unique, self.concat]
        if block.depth < 3:
            kinds += [self.branch, self.loop, self.loop]
        if block.depth < 2:
            kinds += [self.scan, self.call, self.call]
        for _ in range(count):
            self.dice.choice(kinds)(block)

    def node(self, block, op, inputs, outputs=1, extra=None, graphs=(), names=None):
        """`extra`: attributes; "@to" refers to the function's. Names of values repeat in every scope of one depth."""
        names = names or [f"{'abcd'[block.depth]}{len(block.nodes)}_{i}" for i in range(outputs)]
        attributes = {key: value for key, value in (extra or {}).items() if value != "@to"}
        label = self.dice.choice(["", f"{op.lower()}{len(block.nodes)}"])
        node = helper.make_node(op, inputs, names, name=label, domain="my" if op[0] == "F" else "", **attributes)
        for key, value in (extra or {}).items():
            if value == "@to":
                node.attribute.append(onnx.AttributeProto(name=key, type=onnx.AttributeProto.INT, ref_attr_name="to"))
        for key, body, *results in graphs:
            graph = helper.make_graph(body.nodes, key, [], results)
            node.attribute.append(helper.make_attribute(key, graph))
        block.nodes.append(node)
        return names[0]

    def unary(self, block, value=None):
        value = value or self.dice.choice(block.fixed)
        name = self.node(block, self.dice.choice(["Neg", "Abs"]), [value])
        if value != "typed":
            block.fixed.append(name)
        return name

    def add(self, block):
        block.fixed.append(self.node(block, "Add", [self.dice.choice(block.fixed), self.dice.choice(block.fixed)]))

    def unique(self, block):
        self.node(block, "Unique", [self.dice.choice(block.fixed)], 3)
        block.growing.append(block.nodes[-1].output[0])
        block.nodes[-1].output[1] = ""  # omitted
        if self.dice.random() < 0.5:
            block.nodes[-1].output[2] = ""

    def concat(self, block):
        values = self.dice.choices(block.fixed + block.growing, k=2)
        block.growing.append(self.node(block, "Concat", values, extra={"axis": 0}))

    def condition(self, block):
        total = self.node(block, "ReduceSum", [self.dice.choice(block.fixed)], extra={"keepdims": 0})
        zero = self.node(block, "Constant", [], extra={"value_float": 0.0})
        return self.node(block, "Greater", [total, zero])

    def branch(self, block):
        condition = self.dice.choice(["c", self.condition(block)])
        branches = [block.inner(), block.inner()]
        ends = []
        for branch in branches:
            self.fill(branch, self.dice.randint(0, 2))
            ends.append(helper.make_tensor_value_info(self.unary(branch), FLOAT, [2]))
        block.fixed.append(
            self.node(block, "If", [condition], graphs=zip(("then_branch", "else_branch"), branches, ends)))

    def loop(self, block):
        count = self.node(block, "Constant", [], extra={"value_int": self.dice.randrange(4)})
        body = block.inner()
        prefix = "abcd"[body.depth]
        names = [prefix + "_i", prefix + "_c", prefix + "_s"]
        grows = self.dice.random() < 0.4
        (body.growing if grows else body.fixed).append(names[2])
        self.fill(body, self.dice.randint(0, 3))
        more = self.node(body, "Identity", [names[1]])
        if grows:
            state = self.node(body, "Concat", [names[2], self.dice.choice(body.fixed)], extra={"axis": 0})
        else:
            state = self.unary(body)
        seen = self.unary(body)
        kinds = [(INT64, []), (BOOL, []), (FLOAT, [None] if grows else [2])]
        ends = [(more, BOOL, []), (state, *kinds[2]), (seen, FLOAT, [2])]
        start = self.dice.choice(block.fixed)
        graphs = [("body", body, *(helper.make_tensor_value_info(*end) for end in ends))]
        first = self.node(block, "Loop", [count, "", start], 2, graphs=graphs)
        graph = block.nodes[-1].attribute[0].g
        graph.input.extend(helper.make_tensor_value_info(n, t, s) for n, (t, s) in zip(names, kinds))
        (block.growing if grows else block.fixed).append(first)

    def scan(self, block):
        """One state and two scan inputs at most, along either axis of `xs` and in either direction."""
        body = block.inner()
        prefix = "abcd"[body.depth]
        count = self.dice.randint(1, 2)
        axes, directions = self.dice.choices([0, 1, -1], k=count), self.dice.choices([0, 1], k=count)
        slices = [f"{prefix}_x{i}" for i in range(count)]
        if body.depth > 1 and self.dice.random() < 0.3:
            slices[0] = "xs"  # as what is scanned
        states = [prefix + "_s"][:self.dice.randrange(2)]
        body.fixed += slices + states
        self.fill(body, self.dice.randint(0, 3))
        ends = [self.unary(body) for _ in [*states, "stacked"]]
        ends = [helper.make_tensor_value_info(end, FLOAT, [2]) for end in ends]
        start = [self.dice.choice(block.fixed) for _ in states]
        extra = {"num_scan_inputs": count}
        if self.dice.random() < 0.7:
            extra.update(scan_input_axes=axes, scan_input_directions=directions)
        self.node(block, "Scan", start + ["xs"] * count, len(ends), extra=extra, graphs=[("body", body, *ends)])
        graph = next(a.g for a in block.nodes[-1].attribute if a.HasField("g"))
        graph.input.extend(helper.make_tensor_value_info(name, FLOAT, [2]) for name in states + slices)
        block.fixed += block.nodes[-1].output[:len(states)]

    def call(self, block, function=None):
        if self.functions:
            function = function or self.dice.choice(self.functions)
            to = self.dice.choice([FLOAT, TensorProto.INT32, TensorProto.DOUBLE])
            block.fixed.append(self.node(block, function.name, [self.dice.choice(block.fixed), "xs", "c"], extra={"to": to}))


# --- the computation by hand ---------------------------------------------------------------------------------------


class Iterations(list):
    """What a value is in each iteration of a Loop or Scan; None where its branch was not taken."""


class ByHand:
    """Computes a model node by node; `seen` has every value by the name under which it comes out."""

    def __init__(self, model):
        self.model = model
        self.functions = {function.name: function for function in model.functions}
        self.sessions = {}

    def run(self, feeds):
        seen = {}
        self.nodes(self.model.graph.node, dict(feeds), seen, {})
        return seen

    def nodes(self, nodes, values, seen, bound):
        """Adds what the nodes compute to `values`, and all that happens inside of them too to `seen`."""
        for index, node in enumerate(nodes):
            label = node.name or f"{node.op_type}_{index}"
            attributes = {a.name: bound.get(a.ref_attr_name, a) for a in node.attribute}
            if node.domain == "my":
                results = self.call(node, attributes, values, seen, label)
            elif node.op_type in ("If", "Loop", "Scan"):
                results = getattr(self, node.op_type)(node, attributes, values, seen, label, bound)
            else:
                results = self.alone(node, attributes, [values[name] if name else None for name in node.input])
            for name, result in zip(node.output, results):
                if name:
                    values[name] = seen[name] = result

    def call(self, node, attributes, values, seen, label):
        function = self.functions[node.op_type]
        inner = {}
        inside = {name: values[actual] for name, actual in zip(function.input, node.input)}
        self.nodes(function.node, inside, inner, attributes)
        seen.update({f"{label}/{name}": value for name, value in inner.items()})
        return [inside[name] for name in function.output]

    def body(self, graph, values, bound):
        inner, inside = {}, dict(values)
        self.nodes(graph.node, inside, inner, bound)
        return [inside[output.name] for output in graph.output], inner

    def If(self, node, attributes, values, seen, label, bound):
        branch = "then_branch" if values[node.input[0]] else "else_branch"
        results, inner = self.body(attributes[branch].g, values, bound)
        seen.update({f"{label}/{branch}/{name}": value for name, value in inner.items()})
        return results

    def iterations(self, steps, seen, label):
        names = {name for step in steps for name in step}
        for name in names:
            seen[f"{label}/body/{name}"] = Iterations(step.get(name) for step in steps)

    def Loop(self, node, attributes, values, seen, label, bound):
        graph = attributes["body"].g
        state, steps, scans = values[node.input[2]], [], []
        for i in range(int(values[node.input[0]])):
            arguments = (np.int64(i), np.bool_(True), state)
            inputs = {entry.name: np.asarray(value) for entry, value in zip(graph.input, arguments)}
            (_, state, scan), inner = self.body(graph, {**values, **inputs}, bound)
            steps.append(inner)
            scans.append(scan)
        self.iterations(steps, seen, label)
        return [state, np.stack(scans) if scans else np.zeros((0, 2), np.float32)]

    def Scan(self, node, attributes, values, seen, label, bound):
        graph, count = attributes["body"].g, attributes["num_scan_inputs"].i
        split = len(node.input) - count
        state, rows = [values[name] for name in node.input[:split]], []
        for i, name in enumerate(node.input[split:]):
            axis = attributes["scan_input_axes"].ints[i] if "scan_input_axes" in attributes else 0
            sliced = np.moveaxis(values[name], axis, 0)
            backwards = "scan_input_directions" in attributes and attributes["scan_input_directions"].ints[i]
            rows.append(sliced[::-1] if backwards else sliced)
        steps, scans = [], []
        for slices in zip(*rows):
            inputs = {entry.name: value for entry, value in zip(graph.input, [*state, *slices])}
            (*state, scan), inner = self.body(graph, {**values, **inputs}, bound)
            steps.append(inner)
            scans.append(scan)
        self.iterations(steps, seen, label)
        return [*state, np.stack(scans)]

    def alone(self, node, attributes, inputs):
        """One node in a model of its own."""
        names = [f"i{k}" if value is not None else "" for k, value in enumerate(inputs)]
        outputs = [f"o{k}" if name else "" for k, name in enumerate(node.output)]
        copy = onnx.NodeProto(op_type=node.op_type, input=names, output=outputs)
        for name, value in attributes.items():
            copy.attribute.append(value)
            copy.attribute[-1].name = name
        kinds = tuple((value.dtype.str, value.ndim) for value in inputs if value is not None)
        key = (copy.SerializeToString(), kinds)
        if key not in self.sessions:
            entries = [
                helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), [None] * value.ndim)
                for name, value in zip(names, inputs) if name
            ]
            results = [onnx.ValueInfoProto(name=name) for name in outputs if name]
            graph = helper.make_graph([copy], "alone", entries, results)
            model = helper.make_model(graph, opset_imports=OPSETS[:1], ir_version=9)
            self.sessions[key] = session(model.SerializeToString())
        results = iter(self.sessions[key].run(None, {name: value for name, value in zip(names, inputs) if name}))
        return [next(results) if name else None for name in outputs]


# --- the comparison ------------------------------------------------------------------------------------------------


def session(model):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def same(a, b):
    return isinstance(a, np.ndarray) and a.dtype == b.dtype and a.shape == np.shape(b) and a.tobytes() == b.tobytes()


def entries(value):
    """What a sequence of all iterations holds: one entry each, loops inside loops in a row."""
    if value is None:
        return
    if isinstance(value, Iterations):
        for step in value:
            yield from entries(step)
    else:
        yield value


def stacked(value):
    """As one array; None if the shapes differ or a branch wasn't taken."""
    if not isinstance(value, Iterations):
        return value
    parts = [stacked(step) for step in value]
    if any(part is None for part in parts) or len({part.shape for part in parts}) > 1:
        return None
    return np.stack(parts) if parts else None


def sequence_matches(given, value):
    """Loops inside loops may come stacked, as one entry. One of no elements is as good as none."""
    given = [entry for entry in given if entry.shape[:1] != (0,)]

    def take(rest, step):
        if step is None or not isinstance(step, Iterations) and step.shape[:1] == (0,):
            return rest
        whole = stacked(step)
        if rest and whole is not None and same(rest[0], whole):
            return rest[1:]
        if not isinstance(step, Iterations):
            return None
        for inner in step:
            rest = take(rest, inner)
            if rest is None:
                return None
        return rest

    for step in value if isinstance(value, Iterations) else [value]:
        given = take(given, step)
        if given is None:
            return False
    return given == []


def last(value):
    while isinstance(value, Iterations):
        value = value[-1] if value else None
    return value


def matches(given, value, only_last):
    if only_last:
        value = last(value)
    if value is None or not list(entries(value)):
        value = Iterations()
    if isinstance(given, list):
        return sequence_matches(given, value)
    if not list(entries(value)):
        return given.size == 0
    whole = stacked(value)
    return whole is not None and same(given, whole)


def check(tool, seed, folder):
    model = Generator(seed).model()
    original, debug, back = (os.path.join(folder, name) for name in ("m.onnx", "debug.onnx", "back.onnx"))
    onnx.save(model, original)
    problems = []
    for flag in ("--deep", "--deep=last"):
        command = [tool, original, "--all", "--include-constants", flag, "--json", "-f", "-o", debug]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return [f"{flag}: {done.stderr}"]
        report = json.loads(done.stdout)
        problems += [f"{flag}: skipped {entry['name']}: {entry['reason']}" for entry in report["skipped"]]
        subprocess.run([tool, "strip", debug, "--allow-empty", "-q", "-f", "-o", back], check=True)
        if open(original, "rb").read() != open(back, "rb").read():
            problems.append(f"{flag}: strip doesn't give the model back")
        try:
            run = session(debug)
        except Exception as error:
            return problems + [f"{flag}: {error}"]
        names = [output.name for output in run.get_outputs()]
        for c in (False, True):
            feeds = {"x": np.array([1, -2], np.float32), "xs": np.arange(4, dtype=np.float32).reshape(2, 2) - 2,
                     "c": np.array(c)}
            results = dict(zip(names, run.run(names, feeds)))
            by_hand = ByHand(model).run(feeds)
            for name in by_hand.keys() - results.keys():
                problems.append(f"{flag}: '{name}' doesn't come out")
            for name, value in results.items():
                if not matches(value, by_hand.get(name), flag == "--deep=last"):
                    problems.append(f"{flag}, c={c}: '{name}' is {value} and by hand {by_hand.get(name)}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory(prefix="unrolled.") as folder:
            problems = check(os.path.abspath(options.tool), seed, folder)
        if problems:
            failed += 1
            print(f"FAIL --seed {seed} --count 1: {len(problems)} problems")
            for problem in problems[:5]:
                print("  " + " ".join(problem.split())[:600])
    print(f"{options.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

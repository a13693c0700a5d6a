#!/usr/bin/env python3
"""Runs real models with `onnx-expose run` and compares every dumped value with what Python's ONNX Runtime returns.

  judge_run.py --tool BIN FOLDER          every *.onnx below the folder
  judge_run.py --tool BIN --models full   models of manifest.tsv that are in the cache (default or full)

For each model, with `--all`, with `--all --deep` if it has bodies or functions, and with `--all --max-memory 1K` if it has
several nodes (each is a piece of its own then), fed with stored test data or with numbers made from its input types:
  - what is dumped is what the debug model of `expose` with the same flags has as outputs,
  - numpy reads every file (the onnx package those that are .pb), and what it reads is bit for bit what Python's ONNX
    Runtime returns for that debug model, with optimisations disabled and one thread,
  - the manifest's shape and statistics are of that value,
  - the model's own outputs are those of the untouched model,
  - where Python's ONNX Runtime refuses or fails, the tool says so with exit code 6 and leaves no complete dump.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

import judging
from feeds import feeds_for, model_inputs, stored_folder
from judged import Judged, Raw, close, equal, expose, load, run, uses_half

RUNS = {"all": ["--all"], "deep": ["--all", "--deep"], "pieces": ["--all", "--max-memory", "1K"]}
TOOL_SECONDS = 600
RUNTIME_FAILED = 6
RANDOM_OPS = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}
SUB_BYTE = {TensorProto.INT4: (4, True), TensorProto.UINT4: (4, False), TensorProto.FLOAT4E2M1: (4, False),
            TensorProto.INT2: (2, True), TensorProto.UINT2: (2, False)}


def judge_run(tool, path, names):
    judged = Judged()
    model = onnx.load(path, load_external_data=False)
    with tempfile.TemporaryDirectory(prefix="judge-run.") as folder:
        folder = Path(folder)
        try:
            feeds = feeds_for(path, model)
            inputs = stored_folder(path, model) or store(model, feeds, folder / "test_data_set_0")
        except Exception as error:
            judged.seen["nothing to feed"] += 1
            judged.notes.append(str(error)[:200])
            return judged
        expected = {}
        for name in filter(lambda name: makes_a_difference(name, model), names):
            selection = [flag for flag in RUNS[name] if flag in ("--all", "--deep")]
            key = " ".join(selection)
            if key not in expected:
                expected[key] = expectation(tool, path, selection, feeds, folder / f"debug{len(expected)}", judged)
            if expected[key] is not None:
                judge_dump(tool, path, model, name, inputs, folder / name, expected[key], judged)
    return judged


def makes_a_difference(name, model):
    if name == "deep":
        return bool(model.functions) or any(attribute.HasField("g") for node in all_nodes(model)
                                            for attribute in node.attribute)
    return name != "pieces" or len(model.graph.node) > 1


def store(model, feeds, folder):
    folder.mkdir()
    for index, entry in enumerate(model_inputs(model)):
        tensor = numpy_helper.from_array(feeds[entry.name], entry.name)
        (folder / f"input_{index}.pb").write_bytes(tensor.SerializeToString())
    return folder


def expectation(tool, path, selection, feeds, folder, judged):
    """Outputs of the debug model by name, or why there are none; None if there is no debug model."""
    folder.mkdir()
    out = folder / path.name
    if expose(tool, path, selection, out, judged) is None:
        return None
    session, refusal = load(out)
    try:
        result = refusal if session is None else run(session, feeds)
    except Exception as error:
        result = error
    for file in folder.iterdir():
        file.unlink()
    return result


def judge_dump(tool, path, model, name, inputs, folder, expected, judged):
    command = [tool, "run", path, *RUNS[name], "--allow-empty", "-q", "-o", folder]
    if model_inputs(model):
        command += ["--inputs", inputs]
    done = subprocess.run(list(map(str, command)), capture_output=True, timeout=TOOL_SECONDS)
    said = " ".join(done.stderr.decode(errors="replace").split())[:300]
    if isinstance(expected, Exception):
        judged.seen["ONNX Runtime refuses or fails"] += 1
        judged.notes.append(" ".join(str(expected).split())[:200])
        if done.returncode != RUNTIME_FAILED or (folder / "manifest.json").exists():
            judged.problem(f"{name}: exit {done.returncode} where ONNX Runtime fails: {said}")
        return
    if done.returncode != 0:
        judged.problem(f"{name}: exit {done.returncode}: {said}")
        return
    judged.seen[f"run: {name}"] += 1
    manifest = json.loads((folder / "manifest.json").read_text())
    values = manifest["values"]
    if not manifest["complete"] or {value["name"] for value in values} != set(expected):
        judged.problem(f"{name}: the dump holds other values than the debug model's outputs")
        return
    is_random = any(node.op_type in RANDOM_OPS for node in all_nodes(model))
    if manifest.get("original_outputs_unchanged") is False and not (uses_half(model) or is_random):
        judged.problem(f"{name}: the original outputs are said to have changed")
    for value in values:
        judged.seen["values"] += 1
        try:
            wrong = difference(folder, value, expected[value["name"]], name == "pieces" and uses_half(model))
        except Exception as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong and not is_random:
            judged.problem(f"{name}: '{value['name']}' ({value['type']}): {wrong}")
            break


def all_nodes(model):
    stack = list(model.graph.node)
    for function in model.functions:
        stack += function.node
    while stack:
        node = stack.pop()
        yield node
        for attribute in node.attribute:
            stack += attribute.g.node


def difference(folder, value, expected, rounds):
    """How the dumped value differs from what is expected; "" if it doesn't."""
    if expected is None:
        return "" if value["type"] == "none" or not value.get("file") else f"is a {value['type']} and should be none"
    got = read_value(folder, value, expected)
    if isinstance(expected, Raw):
        return raw_difference(value, got, expected)
    if not isinstance(expected, (np.ndarray, list, dict)):  # a map's value, a numpy scalar
        expected = np.asarray(expected)
    # Between float16 nodes of one piece ONNX Runtime keeps float32.
    same = close if rounds else equal
    if not same(normal(expected), normal(got)):
        return f"is {brief(got)} and should be {brief(expected)}"
    if isinstance(expected, np.ndarray) and not rounds:
        return statistics_difference(value, expected)
    return ""


def raw_difference(value, got, expected):
    if isinstance(got, list):  # the binding hands out no sequence of a type that numpy lacks
        return ""
    if list(expected.shape) != value["shape"]:
        return f"has shape {value['shape']} and should have {list(expected.shape)}"
    data = expected.data
    if expected.element_type in SUB_BYTE:
        bits, signed = SUB_BYTE[expected.element_type]
        data = unpacked(data, bits, signed, int(np.prod(expected.shape)))
    return "" if data == got.tobytes() else "has other bytes"


def unpacked(data, bits, signed, count):
    codes = np.frombuffer(data, np.uint8)[:, None] >> np.arange(0, 8, bits, dtype=np.uint8) & (1 << bits) - 1
    codes = codes.reshape(-1)[:count].astype(np.int16)
    if signed:
        codes = np.where(codes >= 1 << bits - 1, codes - (1 << bits), codes)
    return codes.astype(np.int8).tobytes()


def statistics_difference(value, array):
    stats = value["stats"]
    if stats["count"] != array.size:
        return f"counts {stats['count']} elements of {array.size}"
    # The binding hands some float8 out as the integers of their bits.
    if array.dtype.kind not in "fiub" or "float8" in value["type"]:
        return ""
    numbers = array.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    wanted = {"nan": int(np.isnan(numbers).sum()), "pos_inf": int(np.isposinf(numbers).sum()),
              "zeros": int((numbers == 0).sum())}
    if finite.size:
        wanted |= {"min": float(finite.min()), "max": float(finite.max())}
    wrong = {key: stats[key] for key in wanted if stats[key] != wanted[key]}
    return f"has statistics {wrong} that should be {wanted}" if wrong else ""


def normal(value):
    """Strings as lists of str, whatever holds them; the rest as it is."""
    if isinstance(value, list):
        return [normal(item) for item in value]
    if isinstance(value, np.ndarray) and value.dtype.kind in "OUS":
        return np.array([text(item) for item in value.reshape(-1)], object).reshape(value.shape)
    return value


def text(item):
    return item.decode(errors="surrogateescape") if isinstance(item, bytes) else str(item)


def brief(value):
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)} {value.reshape(-1)[:4]}"
    return repr(value)[:80]


def read_value(folder, value, expected):
    path = folder / value["file"]
    if path.suffix == ".pb":
        return read_pb(path, expected)
    loaded = np.load(path)  # allow_pickle is off: no object arrays
    if path.suffix == ".npy":
        return loaded
    parts = {key: loaded[key] for key in loaded.files}
    if "keys" in parts:
        return as_map(parts, "")
    if any(key.endswith(".keys") for key in parts):
        return [as_map(parts, f"{index}.") for index in range(len(parts) // 2)]
    return [parts[str(index)] for index in range(len(parts))]


def as_map(parts, prefix):
    return dict(zip(parts[f"{prefix}keys"].tolist(), parts[f"{prefix}values"].tolist()))


def read_pb(path, expected):
    kinds = {list: onnx.SequenceProto, dict: onnx.MapProto}
    message = kinds.get(type(expected), TensorProto)()
    message.ParseFromString(path.read_bytes())
    if isinstance(expected, list):
        return numpy_helper.to_list(message)
    if isinstance(expected, dict):
        return numpy_helper.to_dict(message)
    return numpy_helper.to_array(message)


if __name__ == "__main__":
    parser = judging.parser(__doc__)
    parser.add_argument("--runs", default=",".join(RUNS), help="which of all,deep,pieces")
    options = parser.parse_args()
    sys.exit(judging.run(options, judge_run, options.runs.split(",")))

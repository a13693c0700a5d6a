"""One model, judged: see judge.py."""

import collections
import ctypes
import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import onnxruntime as ort
from onnx import TensorProto

from feeds import feeds_for, model_inputs

ort.set_default_logger_severity(4)
TOOL_SECONDS = 120
SELECTIONS = (["--all"], ["--all", "--include-constants"], ["--all", "--deep"])
# A value of these as output is not bit-equal to begin with (the runtime computes them in float, onnx-facts 6).
HALF_TYPES = (TensorProto.FLOAT16, TensorProto.BFLOAT16)
HALF_TOLERANCE = 2e-2
PACKED_TYPES = (TensorProto.INT4, TensorProto.UINT4, TensorProto.INT2, TensorProto.UINT2, TensorProto.FLOAT4E2M1)


class Judged:
    """What was found: problems, counts of what was seen on the way, notes for --verbose."""

    def __init__(self):
        self.problems = []
        self.seen = collections.Counter()
        self.notes = []

    def problem(self, text):
        self.problems.append(" ".join(str(text).split())[:400])


def judge(tool, path):
    judged = Judged()
    original = onnx.load(path, load_external_data=False)
    with tempfile.TemporaryDirectory(prefix="judge.") as folder:
        before, written = None, set()
        for flags in SELECTIONS:
            out = Path(folder) / "".join(flags) / path.name  # in a folder of its own: external data is copied too
            out.parent.mkdir()
            report = expose(tool, path, flags, out, judged)
            if report is None:
                continue
            check_stripped(tool, path, out, len(report["added"]), judged)
            if out.read_bytes() in written:
                continue
            written.add(out.read_bytes())
            before = before or Runs(path, original)
            check_debug_model(before, out, report, judged)
    return judged


def run_tool(tool, arguments, judged):
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, timeout=TOOL_SECONDS)
    if done.returncode != 0:
        judged.problem(f"{arguments[0]}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return None
    return done.stdout


def expose(tool, path, flags, out, judged):
    # Models of constants alone have nothing that --all selects.
    arguments = ["expose", path, *flags, "--allow-empty", "--copy-data", "--json", "-o", out]
    text = run_tool(tool, arguments, judged)
    return None if text is None else json.loads(text)


def check_stripped(tool, path, out, added, judged):
    back = out.with_suffix(".stripped")
    flags = [] if added else ["--allow-empty"]
    if run_tool(tool, ["strip", out, *flags, "--copy-data", "-o", back], judged) is None:
        return
    if back.read_bytes() != path.read_bytes():
        judged.problem("strip does not give back the original's bytes")
    back.unlink()


class Runs:
    """The original in ONNX Runtime; its outputs are computed when they are asked for."""

    def __init__(self, path, model):
        self.path = path
        self.model = model
        self.valid = passes_checker(path)
        self.session, self.refusal = load(path)
        self.strict = load(path, strict=True)[0] is not None
        self.feeds = self.results = None
        self.failure = self.refusal
        if self.session is None:
            return
        try:
            self.feeds = feeds_for(path, model)
            self.results = run(self.session, self.feeds)
        except Exception as error:
            self.failure = error


def passes_checker(path):
    try:
        onnx.checker.check_model(str(path), full_check=True)
        return True
    except Exception:
        return False


def load(path, strict=False):
    """(session, None) or (None, why not)."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    if strict:
        options.add_session_config_entry("session.strict_shape_type_inference", "1")
    try:
        return ort.InferenceSession(os.fspath(path), options, providers=["CPUExecutionProvider"]), None
    except Exception as error:
        return None, error


def run(session, feeds):
    names = [output.name for output in session.get_outputs()]
    try:
        return dict(zip(names, session.run(names, feeds)))
    except RuntimeError:
        # Element types that numpy lacks can't be handed out as arrays.
        values = {name: to_ort_value(array) for name, array in feeds.items()}
        return dict(zip(names, map(from_ort_value, session.run_with_ort_values(names, values))))


def to_ort_value(array):
    if array.dtype.isbuiltin == 1:
        return ort.OrtValue.ortvalue_from_numpy(array)
    element_type = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
    if element_type in PACKED_TYPES:  # handed over as they lie in a TensorProto, in a buffer of one byte an element
        packed = onnx.numpy_helper.from_array(array).raw_data
        buffer = np.zeros(array.shape, np.uint8)
        buffer.reshape(-1)[:len(packed)] = np.frombuffer(packed, np.uint8)
        return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(buffer, element_type)
    return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array.view(f"u{array.itemsize}"), element_type)


def from_ort_value(value):
    if not value.is_tensor():  # the binding hands out no sequence of a type that numpy lacks
        return Raw(value.data_type(), (), b"")
    try:
        return value.numpy()
    except RuntimeError:
        data = ctypes.string_at(value.data_ptr(), value.tensor_size_in_bytes())
        return Raw(value.element_type(), tuple(value.shape()), data)


Raw = collections.namedtuple("Raw", "element_type shape data")


def check_debug_model(before, out, report, judged):
    debug = onnx.load(out, load_external_data=False)
    outputs = list(debug.graph.output)
    count = len(before.model.graph.output)
    if outputs[:count] != list(before.model.graph.output):
        judged.problem("the original outputs are not first and as they were")
    added = outputs[count:]
    if [entry.name for entry in added] != [entry["name"] for entry in report["added"]]:
        judged.problem("the report names other outputs than the file")
    judged.seen["outputs added"] += len(added)
    untyped = [entry.name for entry in added if not has_type(entry.type)]
    unranked = [entry.name for entry in added if has_type(entry.type) and not has_rank(entry.type)]
    judged.seen["outputs without element type"] += len(untyped)
    judged.seen["outputs without rank"] += len(unranked)
    if before.valid and not untyped and not unranked and not passes_checker(out):
        judged.problem("the ONNX checker refuses the result and not the original")
    if before.session is None:
        judged.seen["originals that ONNX Runtime refuses"] += 1
        return
    session, refusal = load(out)
    if session is None:
        judged.problem(f"ONNX Runtime refuses the result: {refusal}")
        return
    if before.strict and load(out, strict=True)[0] is None:
        judged.problem(f"strict shape inference refuses the result: {load(out, strict=True)[1]}")
    if before.results is None:
        judged.seen["only loaded"] += 1
        judged.notes.append(" ".join(str(before.failure).split())[:200])
        return
    try:
        results = run(session, before.feeds)
    except Exception as error:
        judged.problem(f"the result does not run: {error}")
        return
    judged.seen["run"] += 1
    check_results(before, debug, added, results, judged)


def check_results(before, debug, added, results, judged):
    half = uses_half(debug)
    for name, value in before.results.items():
        if not (close(value, results[name]) if half else equal(value, results[name])):
            judged.problem(f"the original output '{name}' changed")
    sizes = symbol_sizes(before)
    for entry in added:
        wrong = mismatch(entry.type, results[entry.name], sizes)
        if wrong:
            judged.problem(f"'{entry.name}' {wrong}")


def has_type(kind):
    which = kind.WhichOneof("value")
    if which in ("tensor_type", "sparse_tensor_type"):
        return getattr(kind, which).elem_type != 0
    if which in ("sequence_type", "optional_type"):
        return has_type(getattr(kind, which).elem_type)
    return which == "map_type"


def has_rank(kind):
    which = kind.WhichOneof("value")
    return which not in ("tensor_type", "sparse_tensor_type") or getattr(kind, which).HasField("shape")


def uses_half(model):
    """Whether any tensor of the model is fp16: in inputs, outputs, initializers or by a Cast."""
    types = {entry.type.tensor_type.elem_type for entry in [*model.graph.input, *model.graph.output]}
    types |= {tensor.data_type for tensor in model.graph.initializer}
    return bool(types & set(HALF_TYPES))


def equal(a, b):
    if isinstance(a, np.ndarray) and a.dtype != object:
        same_kind = isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape
        return same_kind and a.tobytes() == b.tobytes()
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.shape == b.shape and a.tolist() == b.tolist()
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, float):
        return a == b or (a != a and b != b)
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return a == b


def close(a, b):
    if isinstance(a, np.ndarray) and a.dtype.kind == "f":
        return a.shape == b.shape and np.allclose(a, b, HALF_TOLERANCE, HALF_TOLERANCE, equal_nan=True)
    return equal(a, b)


def symbol_sizes(before):
    """Sizes of the symbols of the graph inputs; None where two inputs disagree."""
    sizes = {}
    for entry in model_inputs(before.model):
        shape = getattr(before.feeds.get(entry.name), "shape", ())
        for dim, size in zip(entry.type.tensor_type.shape.dim, shape):
            if dim.dim_param:
                sizes[dim.dim_param] = size if sizes.get(dim.dim_param, size) == size else None
    return sizes


def mismatch(kind, value, sizes):
    """How the value differs from its declared type; "" if it doesn't."""
    which = kind.WhichOneof("value")
    if which == "sequence_type":
        if isinstance(value, Raw) and str(value.element_type).startswith("seq("):
            return ""
        if not isinstance(value, list):
            return f"is declared a sequence and is {type(value).__name__}"
        return next((wrong for item in value if (wrong := mismatch(kind.sequence_type.elem_type, item, sizes))), "")
    if which == "optional_type":
        return "" if value is None else mismatch(kind.optional_type.elem_type, value, sizes)
    if which == "map_type":
        return "" if isinstance(value, dict) else "is declared a map"
    if which != "tensor_type":
        return ""
    tensor = kind.tensor_type
    if not isinstance(value, (np.ndarray, Raw, np.generic)):
        return f"is declared a tensor and is {type(value).__name__}"
    if isinstance(value, Raw):
        matches = value.element_type == tensor.elem_type
    elif tensor.elem_type == TensorProto.STRING:
        matches = value.dtype.kind in "OUS"
    else:
        matches = value.dtype == onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    if not matches:
        return f"is declared {TensorProto.DataType.Name(tensor.elem_type)} and is {getattr(value, 'dtype', value[:2])}"
    if not tensor.HasField("shape"):
        return ""
    declared = [dim.dim_value if dim.HasField("dim_value") else sizes.get(dim.dim_param) for dim in tensor.shape.dim]
    fits = len(declared) == len(value.shape)
    if fits and all(want in (None, have) for want, have in zip(declared, value.shape)):
        return ""
    return f"is declared {declared} and is {list(value.shape)}"

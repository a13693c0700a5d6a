"""What to feed a model: stored test data, the manifest's feed column, or numbers made from its input types."""

import csv
import re
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

HERE = Path(__file__).resolve().parent
FEED_TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "b": np.bool_,
              "s": object}
# Models of tests/data/made that don't take just anything.
MADE_FEEDS = {"dyn_half": "x=f16[1,3,32,32]:n0.5", "ts_enc_functions": "ids=i64[2,11]:r0-9",
              "skl_pipeline": "a=f32[3,1]:n0.5; b=f32[3,1]:n0.5; c=s[3,1]:x"}
FREE_DIM = 2  # for dims without a number, where nothing says better


def model_inputs(model):
    """Graph inputs that must be fed: those that are no initializers."""
    defaults = {tensor.name for tensor in model.graph.initializer}
    defaults |= {sparse.values.name for sparse in model.graph.sparse_initializer}
    return [entry for entry in model.graph.input if entry.name not in defaults]


def read_stored(model, folder):
    """Feeds of a test_data_set_N folder: input_I.pb belongs to the I-th graph input."""
    feeds = {}
    for index, entry in enumerate(model.graph.input):
        path = folder / f"input_{index}.pb"
        if not path.exists():
            continue
        kind = entry.type.WhichOneof("value")
        message = {"sequence_type": onnx.SequenceProto, "optional_type": onnx.OptionalProto}.get(kind, TensorProto)()
        message.ParseFromString(path.read_bytes())
        if kind == "sequence_type":
            feeds[entry.name] = numpy_helper.to_list(message)
        elif kind == "optional_type":
            feeds[entry.name] = numpy_helper.to_optional(message)
        else:
            feeds[entry.name] = numpy_helper.to_array(message)
    return feeds


def from_text(text):
    """The manifest's feed column: "x=f32[1,3]:n0.5; n=i64[]:7", see README.md."""
    feeds = {}
    for part in text.split("; "):
        name, kind, dims, how = re.fullmatch(r"(.+)=(\w+)\[([\d,]*)\]:(\S+)", part.strip()).groups()
        shape = [int(dim) for dim in dims.split(",") if dim]
        feeds[name] = make_array(FEED_TYPES[kind], shape, how, np.random.default_rng(len(feeds)))
    return feeds


def make_array(dtype, shape, how, rng):
    if how[0] == "n":
        return (rng.standard_normal(shape) * float(how[1:])).astype(dtype)
    if how[0] == "r":
        low, high = (int(bound) for bound in how[1:].split("-"))
        return rng.integers(low, high, shape).astype(dtype)
    return np.full(shape, how if dtype is object else float(how), dtype)


def from_types(model):
    """Small numbers of the declared types. Only tensors can be made up."""
    feeds = {}
    for index, entry in enumerate(model_inputs(model)):
        tensor = entry.type.tensor_type
        if tensor.elem_type == TensorProto.UNDEFINED:
            raise ValueError(f"nothing to feed '{entry.name}' with")
        shape = [dim.dim_value if dim.dim_value > 0 else FREE_DIM for dim in tensor.shape.dim]
        rng = np.random.default_rng(index)
        if tensor.elem_type == TensorProto.STRING:
            feeds[entry.name] = np.full(shape, "a", object)
        else:
            dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
            feeds[entry.name] = make_array(dtype, shape, "n0.5" if dtype.kind in "fV" else "r0-2", rng)
    return feeds


def stored_folder(path, model):
    """The test_data_set_0 folder that belongs to the model file `path`; None if there is none."""
    for folder in (path.parent / "test_data_set_0", path.with_suffix(".inputs") / "test_data_set_0"):
        if folder.is_dir() and any((folder / f"input_{index}.pb").exists() for index in range(len(model.graph.input))):
            return folder
    return None


def feeds_for(path, model):
    """The feeds of the model file `path`; ValueError if there are none."""
    folder = stored_folder(path, model)
    if folder:
        return read_stored(model, folder)
    text = FEEDS.get(path.stem, "testdata")
    return from_types(model) if text == "testdata" else from_text(text)


def read_manifest():
    with open(HERE / "manifest.tsv", newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


FEEDS = MADE_FEEDS | {row["id"]: row["note"].split("feed: ")[1] for row in read_manifest() if "feed: " in row["note"]}

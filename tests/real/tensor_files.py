#!/usr/bin/env python3
"""What numpy and onnx write we read, and what we write they read; statistics equal numpy's in float64.

Usage: tensor_files.py --tool CONVERT_TENSORS
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import ml_dtypes  # noqa: F401: onnx needs it for bfloat16 and the like
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

NUMPY_TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
# Written as integers: width in bytes, and whether they are signed.
RAW_TYPES = {"BFLOAT16": "u2", "FLOAT8E4M3FN": "u1", "FLOAT8E4M3FNUZ": "u1", "FLOAT8E5M2": "u1",
             "FLOAT8E5M2FNUZ": "u1", "UINT4": "u1", "INT4": "i1", "FLOAT4E2M1": "u1"}


def random_array(random, dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind in "fc":
        array = np.asarray(random.normal(3, 2, shape))
        if dtype.kind == "c":
            array = array + 1j * np.asarray(random.normal(0, 1, shape))
        array = array.astype(dtype)
        flat = array.reshape(-1)
        if flat.size > 10:
            flat[flat.size // 2:flat.size // 2 + 4] = [np.nan, np.inf, -np.inf, 0]
        return flat.reshape(shape)
    if dtype.kind == "b":
        return np.asarray(random.random(shape) < 0.5)
    info = np.iinfo(dtype)
    return np.asarray(random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True))


def numpy_cases(folder):
    """name -> array, each in a file that numpy wrote."""
    random = np.random.default_rng(5)
    cases = {}

    def save(name, array, **options):
        with open(folder / name, "wb") as file:
            np.lib.format.write_array(file, array, **options)
        cases[name] = array

    for dtype in NUMPY_TYPES:
        name = np.dtype(dtype).name
        for shape in [(), (0, 3), (1,), (2, 3, 5), (1000, 61)]:
            save(f"{name}_{'x'.join(map(str, shape))}.npy", random_array(random, dtype, shape))
        array = random_array(random, dtype, (3, 4, 5))
        save(f"{name}_fortran.npy", np.asfortranarray(array))
        if np.dtype(dtype).itemsize > 1:
            save(f"{name}_big.npy", array.astype(np.dtype(dtype).newbyteorder(">")), version=(2, 0))
            save(f"{name}_big_fortran.npy", np.asfortranarray(array.astype(np.dtype(dtype).newbyteorder(">"))),
                 version=(3, 0))
    save("float16_many.npy", random_array(random, "f2", (600, 1000)))
    save("int16_many.npy", random_array(random, "i2", (600, 1000)))
    save("offset.npy", random.normal(1e9, 1e-2, 100000))
    save("unicode.npy", np.array([["a", "h\u00e9llo"], ["\U0001f600", ""]]))
    save("unicode_big.npy", np.array(["a", "\u00e9"]).astype(">U3"))
    save("bytes.npy", np.array([b"ab", b"c"]))
    for name, writer in [("stored.npz", np.savez), ("deflated.npz", np.savez_compressed)]:
        cases[name] = random_array(random, "f4", (100, 30))
        writer(folder / name, x=cases[name])
    return cases


def pb_cases(folder):
    """name -> (kind, proto), each in a file that onnx wrote."""
    random = np.random.default_rng(6)
    cases = {}
    for name in RAW_TYPES:
        array = np.asarray(random.normal(0, 2, (7, 3)), dtype=np.float32)
        if "INT" in name:
            array = np.abs(array).astype(np.int32) % 8
        tensor = helper.make_tensor(name, getattr(TensorProto, name), array.shape, array.reshape(-1))
        cases[f"{name}.pb"] = ("float", tensor)
    cases["strings.pb"] = ("string", numpy_helper.from_array(np.array(["a\0", "\u00e9"], object), "s"))
    arrays = [random_array(random, "f4", (2, 3)), random_array(random, "f4", (4,))]
    cases["sequence.pb"] = ("seq(float)", numpy_helper.from_list(arrays, "q"))
    cases["map.pb"] = ("map(int64,float)", numpy_helper.from_dict({3: np.float32(0.5), -1: np.float32(2)}, "m"))
    cases["optional.pb"] = ("optional(float)", numpy_helper.from_optional(arrays[0], "o"))
    for name, (_, proto) in cases.items():
        (folder / name).write_bytes(proto.SerializeToString())
    return cases


def load(folder, value):
    path = folder / value["file"]
    if path.suffix == ".npy":
        return np.load(path)
    if path.suffix == ".npz":
        with np.load(path) as archive:
            if "member" in value:
                return archive[value["member"]]
            return {name: archive[name] for name in archive.files}
    if value["type"].startswith("seq("):
        proto = onnx.SequenceProto.FromString(path.read_bytes())
        return {str(i): array for i, array in enumerate(numpy_helper.to_list(proto))}
    if value["type"].startswith("map("):
        pairs = numpy_helper.to_dict(onnx.MapProto.FromString(path.read_bytes()))
        return {"keys": np.array(list(pairs)), "values": np.array(list(pairs.values())).reshape(-1)}
    return numpy_helper.to_array(onnx.TensorProto.FromString(path.read_bytes()))


def same(a, b):
    if a.shape != b.shape:
        return False
    if a.dtype.kind in "OSU":
        decode = lambda x: x.decode() if isinstance(x, bytes) else str(x)
        return [decode(x) for x in a.reshape(-1)] == [decode(x) for x in b.reshape(-1)]
    # Bit for bit, NaN included.
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()


def native(array):
    return array.astype(array.dtype.newbyteorder("="))


def wrong_statistics(stats, array):
    if array.dtype.kind in "SU":
        return [] if stats["count"] == array.size and stats["min"] is None else ["strings"]
    numbers = np.abs(array.astype("c16")) if array.dtype.kind == "c" else array.astype("f8")
    numbers = numbers.reshape(-1)
    bad = np.flatnonzero(~np.isfinite(numbers))
    finite = numbers[np.isfinite(numbers)]
    expected = {"count": numbers.size, "zeros": int(np.count_nonzero(finite == 0)), "nan": int(np.isnan(numbers).sum()),
                "pos_inf": int(np.isposinf(numbers).sum()), "neg_inf": int(np.isneginf(numbers).sum()),
                "first_bad": int(bad[0]) if bad.size else None}
    if array.dtype.kind == "c" and bad.size:  # numpy's abs takes infinity before NaN
        for name in ("nan", "pos_inf", "neg_inf"):
            expected.pop(name)
    wrong = [f"{name}: {stats[name]} is not {number}" for name, number in expected.items() if stats[name] != number]
    if not finite.size:
        return wrong + [name for name in ("min", "max", "mean", "std", "l2", "histogram") if stats[name] is not None]
    largest = max(abs(finite.min()), abs(finite.max()))
    exact = finite.astype(np.longdouble)  # where mean and deviation are far apart, float64 knows 5 digits less
    close = {"min": (finite.min(), largest), "max": (finite.max(), largest), "mean": (exact.mean(), largest),
             "std": (exact.std(), exact.std()), "l2": (np.linalg.norm(finite), np.linalg.norm(finite))}
    for name, (number, scale) in close.items():
        if abs(stats[name] - number) > 1e-12 * scale:
            wrong.append(f"{name}: {stats[name]!r} is not {number!r}")
    if sum(stats["histogram"]) != finite.size:
        wrong.append("histogram")
    return wrong


def check_numpy(folder, value, array):
    loaded = load(folder, value)
    if not same(loaded, native(array)):
        return [f"{loaded.dtype}{loaded.shape} is not the {array.dtype}{array.shape}"]
    if value["shape"] != list(array.shape):
        return ["shape"]
    return wrong_statistics(value["stats"], native(array))


def check_pb(folder, value, proto):
    loaded = load(folder, value)
    if isinstance(proto, onnx.SequenceProto):
        arrays = numpy_helper.to_list(proto)
        return [] if all(same(loaded[str(i)], array) for i, array in enumerate(arrays)) else ["another sequence"]
    if isinstance(proto, onnx.MapProto):
        pairs = numpy_helper.to_dict(proto)
        found = dict(zip(loaded["keys"].tolist(), loaded["values"].tolist()))
        return [] if found == {int(k): float(v) for k, v in pairs.items()} else [f"another map: {found}"]
    if isinstance(proto, onnx.OptionalProto):
        proto = proto.tensor_value
    array = numpy_helper.to_array(proto)
    wrong = []
    raw = RAW_TYPES.get(TensorProto.DataType.Name(proto.data_type))
    if raw:
        wrong = wrong_statistics(value["stats"], array.astype("f8"))
        if not value["file"].endswith(".pb"):
            array = array.astype("i1") if raw == "i1" else array.view(raw)
    return wrong + ([] if same(loaded, array) else [f"{loaded.dtype}{loaded.shape} is not the {array.dtype}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    options = parser.parse_args()
    failures = 0
    checked = 0
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        arrays = numpy_cases(work)
        protos = pb_cases(work)
        files = [f"{work}/{name}" for name in arrays] + [f"{work}/{name}={kind}" for name, (kind, _) in protos.items()]
        for format in ("npy", "npz", "deflate", "pb"):
            folder = work / f"dump_{format}"
            subprocess.run([options.tool, format, folder, *files], check=True)
            values = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["values"]
            rows = list(csv.DictReader((folder / "stats.csv").open(newline="", encoding="utf-8")))
            if [row["name"] for row in rows] != [value["name"] for value in values] or len(values) != len(files):
                print(f"{format}: stats.csv has other names than the manifest")
                failures += 1
            for value in values:
                name = value["name"]
                wrong = (check_numpy(folder, value, arrays[name]) if name in arrays
                         else check_pb(folder, value, protos[name][1]))
                checked += 1
                failures += bool(wrong)
                for each in wrong:
                    print(f"{format} {name}: {each}")
    print(f"{checked - failures} passed, {failures} failed")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())

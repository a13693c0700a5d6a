#!/usr/bin/env python3
"""All metrics of `compare` against numpy in double, to 1e-12, on random and adversarial data of every element type.

    metrics_test.py --tool BIN [--rounds N] [--seed N]

Needs numpy, onnx and ml_dtypes (exit 77 without).
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import ml_dtypes
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

np.seterr(all="ignore")
RELATIVE = 1e-12
FLOOR = 1e-6

FLOATS = {
    TensorProto.FLOAT: np.float32, TensorProto.DOUBLE: np.float64, TensorProto.FLOAT16: np.float16,
    TensorProto.BFLOAT16: ml_dtypes.bfloat16, TensorProto.FLOAT8E4M3FN: ml_dtypes.float8_e4m3fn,
    TensorProto.FLOAT8E4M3FNUZ: ml_dtypes.float8_e4m3fnuz, TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2,
    TensorProto.FLOAT8E5M2FNUZ: ml_dtypes.float8_e5m2fnuz, TensorProto.FLOAT4E2M1: ml_dtypes.float4_e2m1fn,
}
INTEGERS = {
    TensorProto.INT8: np.int8, TensorProto.UINT8: np.uint8, TensorProto.INT16: np.int16, TensorProto.UINT16: np.uint16,
    TensorProto.INT32: np.int32, TensorProto.UINT32: np.uint32, TensorProto.INT64: np.int64,
    TensorProto.UINT64: np.uint64, TensorProto.BOOL: np.bool_, TensorProto.INT4: ml_dtypes.int4,
    TensorProto.UINT4: ml_dtypes.uint4,
}
COMPLEX = {TensorProto.COMPLEX64: np.complex64, TensorProto.COMPLEX128: np.complex128}


def ordinals(array):
    """Floats as integers in their order, +0 and -0 the same."""
    if array.dtype == ml_dtypes.float4_e2m1fn:
        bits, width = np.bitwise_and(array.view(np.uint8).ravel(), 15), 4  # a scalar would become an int
    else:
        width = array.dtype.itemsize * 8
        bits = array.view(f"u{array.dtype.itemsize}").astype(object)
    sign = 1 << (width - 1)
    return np.array([sign - int(x) if int(x) & sign else int(x) for x in bits.ravel()], dtype=object)


def scaled(x):
    """x times a power of two, so that squares are normal numbers, and the power."""
    top = np.abs(x).max() if x.size else 0
    if top == 0 or not np.isfinite(top):
        return x, 0
    power = -math.frexp(top)[1]
    half = power // 2
    return x * 2.0 ** half * 2.0 ** (power - half), power


def reference(a, b):
    """What the metrics are; a and b are numpy arrays of one type and shape."""
    out = {"count": a.size}
    complex_numbers = np.iscomplexobj(a)
    wide = np.complex128 if complex_numbers else np.float64
    x, y = a.astype(wide).ravel(), b.astype(wide).ravel()
    if complex_numbers:
        nan_x, nan_y = np.isnan(x), np.isnan(y)
        size_x, size_y = np.abs(x), np.abs(y)
        size_x[nan_x], size_y[nan_y] = np.nan, np.nan
    else:
        nan_x, nan_y, size_x, size_y = np.isnan(x), np.isnan(y), x, y
    out["nan_only_a"] = int((nan_x & ~nan_y).sum())
    out["nan_only_b"] = int((nan_y & ~nan_x).sum())
    infinite = (np.isinf(size_x) | np.isinf(size_y)) & ~nan_x & ~nan_y
    out["inf_differs"] = int((infinite & (size_x != size_y)).sum())
    good = np.isfinite(size_x) & np.isfinite(size_y)
    out["compared"] = int(good.sum())
    if a.dtype in (np.int64, np.uint64):
        d = np.array([float(abs(int(p) - int(q))) for p, q in zip(a.ravel(), b.ravel())], dtype=np.float64)[good]
    else:
        d = np.abs(x - y)[good]
    x, y, size_x, size_y = x[good], y[good], np.abs(size_x[good]), np.abs(size_y[good])
    out["magnitudes"] = size_y
    out["d"] = d
    bad = ["max_abs", "mean_abs", "p50_abs", "p90_abs", "p95_abs", "p99_abs", "max_rel", "mean_rel", "cosine", "snr_db",
           "psnr_db", "max_ulp"]
    out.update(dict.fromkeys(bad))
    if not d.size:
        return out
    ds, pd = scaled(d)
    xs, _ = scaled(size_x)
    ys, py = scaled(size_y)
    out["max_abs"] = d.max()
    out["mean_abs"] = math.ldexp(math.fsum(ds) / d.size, -pd) if np.isfinite(ds).all() else np.inf
    for percent in (50, 90, 95, 99):
        out[f"p{percent}_abs"] = np.percentile(d, percent)
    relative = d / np.maximum(size_y, FLOOR)
    out["max_rel"], out["mean_rel"] = relative.max(), relative.mean()
    aa, bb, dd = math.fsum(xs * xs), math.fsum(ys * ys), math.fsum(ds * ds) if np.isfinite(ds).all() else np.inf
    if aa > 0 and bb > 0:
        if complex_numbers:
            u, v = x * 2.0 ** scaled(size_x)[1], y * 2.0 ** py
            dot = math.fsum(u.real * v.real) + math.fsum(u.imag * v.imag)
        else:
            dot = math.fsum(np.sign(x) * xs * np.sign(y) * ys)
        out["cosine"] = dot / math.sqrt(aa) / math.sqrt(bb)
    if dd > 0 and np.isfinite(dd):
        two = 20 * math.log10(2)
        if bb > 0:
            out["snr_db"] = 10 * math.log10(bb / dd) + two * (pd - py)
            out["psnr_db"] = 20 * math.log10(ys.max()) - 10 * math.log10(dd / d.size) + two * (pd - py)
    if any(a.dtype == t for t in FLOATS.values()):
        steps = [abs(int(p) - int(q)) for p, q in zip(ordinals(a)[good], ordinals(b)[good])]
        out["max_ulp"] = max(steps)
        if 1 <= a.ndim <= 3 and 2 <= a.shape[-1] <= 1 << 20 and a.size:
            rows = (a.astype(np.float64).argmax(-1) == b.astype(np.float64).argmax(-1))
            out["argmax_agreement"] = float(rows.mean())
    return out


def tensor(name, kind, array):
    if array.dtype == ml_dtypes.float4_e2m1fn or kind in (TensorProto.INT4, TensorProto.UINT4):
        codes = array.view(np.uint8).ravel() & 15
        if codes.size % 2:
            codes = np.append(codes, 0).astype(np.uint8)
        raw = (codes[0::2] | (codes[1::2] << 4)).astype(np.uint8).tobytes()
    else:
        raw = np.ascontiguousarray(array).tobytes()
    return helper.make_tensor(name, kind, array.shape, raw, raw=True)


class Cases:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.pairs = {}

    def add(self, name, kind, a, b):
        self.pairs[f"{name}_{TensorProto.DataType.Name(kind)}"] = (kind, a, b)

    def shape(self):
        rank = int(self.random.integers(0, 4))
        return tuple(int(n) for n in self.random.integers(1, 24, rank))

    def floats(self, kind, dtype):
        r = self.random
        top = min(1e30, float(ml_dtypes.finfo(dtype).max))
        shape = self.shape()
        base = r.normal(size=shape)
        self.add("noise", kind, np.asarray(base + 0.01 * r.normal(size=shape)).astype(dtype), np.asarray(base).astype(dtype))
        self.add("same", kind, np.asarray(base).astype(dtype), np.asarray(base).astype(dtype))
        self.add("empty", kind, np.zeros((3, 0), dtype), np.zeros((3, 0), dtype))
        self.add("zeros", kind, np.zeros((5, 4), dtype), np.zeros((5, 4), dtype))
        self.add("one_zero", kind, np.ones((5, 4), dtype), np.zeros((5, 4), dtype))
        self.add("negative_zero", kind, -np.zeros(9).astype(dtype), np.zeros(9, dtype))
        bits = 8 * np.dtype(dtype).itemsize
        unsigned = np.dtype(f"u{bits // 8}")
        n = int(r.integers(1, 6000))
        if dtype != ml_dtypes.float4_e2m1fn:
            # Every bit pattern: NaN, infinities, denormals, huge numbers.
            a = r.integers(0, 2 ** bits, n, dtype=np.uint64).astype(unsigned).view(dtype)
            b = a.copy()
            change = r.random(n) < 0.5
            b[change] = r.integers(0, 2 ** bits, n, dtype=np.uint64).astype(unsigned).view(dtype)[change]
            self.add("bits", kind, a, b)
        huge = (r.normal(size=n) * top / 8).astype(dtype)
        self.add("huge", kind, huge, (huge.astype(np.float64) * 0.75).astype(dtype))
        tiny = float(ml_dtypes.finfo(dtype).smallest_subnormal)
        self.add("denormal", kind, (r.integers(-8, 8, n) * tiny).astype(dtype), (r.integers(-8, 8, n) * tiny).astype(dtype))

    def integers(self, kind, dtype):
        r = self.random
        n = int(r.integers(1, 6000))
        if dtype == np.bool_:
            a, b = r.random(n) < 0.5, r.random(n) < 0.5
        elif dtype in (ml_dtypes.int4, ml_dtypes.uint4):
            low = -8 if dtype == ml_dtypes.int4 else 0
            a, b = (r.integers(low, low + 16, n).astype(dtype) for _ in range(2))
        else:
            info = np.iinfo(dtype)
            a = r.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
            b = a.copy()
            b[r.random(n) < 0.3] = info.max
            self.add("near", kind, np.full(7, info.max, dtype), np.full(7, info.max - 1, dtype))
        self.add("any", kind, a, b)
        self.add("same", kind, a, a)

    def complex(self, kind, dtype):
        r = self.random
        n = int(r.integers(1, 6000))
        a = (r.normal(size=n) + 1j * r.normal(size=n)).astype(dtype)
        b = (a + 0.1 * r.normal(size=n)).astype(dtype)
        b[0] = np.nan
        if n > 2:
            a[1] = complex(np.inf, 0)
        self.add("noise", kind, a, b)

    def large(self):
        """More than the passes keep, so that percentiles are narrowed down bit by bit."""
        r = self.random
        b = r.normal(size=6_000_001).astype(np.float32)
        self.add("large", TensorProto.FLOAT, b + np.float32(1e-3), b)
        a = b.copy()
        a[::7] += np.float32(0.5)
        a[5] = np.nan
        self.add("sparse", TensorProto.FLOAT, a, b)

    def all(self, large):
        for kind, dtype in FLOATS.items():
            self.floats(kind, dtype)
        for kind, dtype in INTEGERS.items():
            self.integers(kind, dtype)
        for kind, dtype in COMPLEX.items():
            self.complex(kind, dtype)
        if large:
            self.large()


def agree(key, ours, theirs):
    if theirs is not None and isinstance(theirs, (float, np.floating)) and not np.isfinite(theirs):
        theirs = None
    if ours is None or theirs is None:
        return ours is None and theirs is None
    if key == "cosine":
        return abs(ours - theirs) <= RELATIVE
    if key.endswith("_db"):  # a logarithm: 1e-12 of the number below it
        return abs(ours - theirs) <= RELATIVE * max(10, abs(theirs))
    return abs(ours - theirs) <= RELATIVE * abs(theirs)


def check(tool, cases, folder):
    for side in (1, 2):
        (folder / "ab"[side - 1]).mkdir()
        for name, pair in cases.pairs.items():
            message = tensor(name, pair[0], pair[side])
            (folder / "ab"[side - 1] / f"{name}.pb").write_bytes(message.SerializeToString())
    failures, numbers = [], 0
    for atol, rtol in ((0, 0), (0.01, 0.001)):
        run = subprocess.run([tool, "compare", folder / "a", folder / "b", "--json", "--atol", str(atol), "--rtol",
                              str(rtol)], capture_output=True, text=True)
        if run.returncode != 1:
            return [f"exit {run.returncode}: {run.stderr}"], 0
        values = {value["name"]: value for value in json.loads(run.stdout)["values"]}
        for name, (_, a, b) in cases.pairs.items():
            ours, theirs = values[name], reference(a, b)
            d, limit = theirs.pop("d"), atol + rtol * theirs.pop("magnitudes")
            theirs["outside"] = int((d > limit).sum()) + sum(
                theirs[key] for key in ("nan_only_a", "nan_only_b", "inf_differs"))
            for key, expected in theirs.items():
                numbers += 1
                if not agree(key, ours[key], expected):
                    failures.append(f"{name}: {key} is {ours[key]!r}, numpy says {expected!r}")
            if ours["histogram"] and sum(ours["histogram"]) != theirs["compared"]:
                failures.append(f"{name}: the histogram isn't of {theirs['compared']}")
            if d.size and d.max() > 0:
                edges = np.concatenate([[0], 4.0 ** np.arange(-31, 32), [np.inf]])
                histogram = np.histogram(d[np.isfinite(d)], edges)[0]
                if np.isfinite(d).all() and ours["histogram"] != histogram.tolist():
                    failures.append(f"{name}: histogram {ours['histogram']}")
                if ours["max_abs"] is not None:
                    at = ours["worst_index"]
                    p, q = a.ravel()[at], b.ravel()[at]
                    whole = a.dtype in (np.int64, np.uint64)
                    off = float(abs(int(p) - int(q))) if whole else None if np.iscomplexobj(a) else abs(np.float64(p) - np.float64(q))
                    if not np.iscomplexobj(a) and off != ours["max_abs"]:
                        failures.append(f"{name}: worst at {at} isn't")
    return failures, numbers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failures, numbers = [], 0
    for round_number in range(arguments.rounds):
        cases = Cases(arguments.seed + round_number)
        cases.all(large=round_number == 0)
        with tempfile.TemporaryDirectory() as folder:
            found, count = check(arguments.tool, cases, Path(folder))
        failures += [f"seed {arguments.seed + round_number}: {each}" for each in found]
        numbers += count
    print("\n".join(failures[:40] + [f"{numbers} numbers, {len(failures)} failures"]))
    return 1 if failures or not numbers else 0


if __name__ == "__main__":
    sys.exit(main())

"""Dumps as `onnx-expose run` writes them, of numbers that a test chooses."""

import json

import numpy


def statistics(array):
    numbers = array.astype(numpy.float64).ravel()
    finite = numbers[numpy.isfinite(numbers)]
    some = finite.size > 0
    histogram = numpy.histogram(finite, 64)[0].tolist() if some else [0] * 64
    bad = numpy.flatnonzero(~numpy.isfinite(numbers))
    return {
        "count": numbers.size,
        "min": float(finite.min()) if some else None, "max": float(finite.max()) if some else None,
        "mean": float(finite.mean()) if some else None, "std": float(finite.std()) if some else None,
        "l2": float(numpy.linalg.norm(finite)) if some else None,
        "zeros": int((numbers == 0).sum()), "nan": int(numpy.isnan(numbers).sum()),
        "pos_inf": int(numpy.isposinf(numbers).sum()), "neg_inf": int(numpy.isneginf(numbers).sum()),
        "first_bad": int(bad[0]) if bad.size else None, "histogram": histogram,
    }


def write_dump(folder, values, model="model.onnx"):
    """values: (name, op, node, float array), in order."""
    folder.mkdir(parents=True)
    listed = []
    for index, (name, op, node, array) in enumerate(values):
        file = f"{index:04d}_v_{index:08x}.npy"
        array = numpy.ascontiguousarray(array, numpy.float32)
        numpy.save(folder / file, array)
        listed.append({
            "index": index, "name": name, "op_type": op, "domain": "", "node": node, "scope": "",
            "original_output": False, "type": "float[" + ",".join(map(str, array.shape)) + "]",
            "shape": list(array.shape), "file": file, "stats": statistics(array),
        })
    manifest = {
        "schema": 1, "complete": True, "model": {"path": model, "sha256": "00" * 32},
        "runtime": {"version": "1.0", "provider": "cpu", "opt_level": "disable", "threads": 1},
        "inputs": [], "original_outputs_unchanged": True, "changed_outputs": [], "notes": [], "values": listed,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder

#!/usr/bin/env python3
"""Real models against int8 twins by ONNX Runtime's quantiser (QDQ, QOperator, dynamic): pairs, and their SNR.

    quantized_real_test.py --tool BIN [--models ID,ID] [-v]

Every value that ONNX Runtime's QDQ debugging pairs must be a pair of ours, with the same SNR; that tool knows no other
format. In the other two nothing may be paired that has another shape or type.
"""

import argparse
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "real"))
try:
    import numpy as np
    import onnx
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_dynamic, quantize_static, shape_inference

    import fetch_models
    from feeds import feeds_for, model_inputs
    from quantized_test import Reader, by_onnx_runtime, compare
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def prepare(path, work):
    """The model as the quantiser wants it, and what to feed it."""
    model = onnx.load(str(path))
    feeds = feeds_for(path, model)
    inputs = model_inputs(model)  # without weights, which IR 3 lists as inputs
    del model.graph.input[:]
    model.graph.input.extend(inputs)
    model.ir_version = max(model.ir_version, 8)
    if next(entry.version for entry in model.opset_import if not entry.domain) < 13:
        model = onnx.version_converter.convert_version(model, 13)
    onnx.save(model, str(work / "opset13.onnx"))
    shape_inference.quant_pre_process(str(work / "opset13.onnx"), str(work / "fp32.onnx"), skip_symbolic_shape=True)
    return work / "fp32.onnx", feeds


def judge(tool, path, work):
    """What was seen, and what is wrong."""
    fp32, feeds = prepare(path, work)
    np.savez(work / "inputs.npz", **feeds)
    seen, wrong = [], []
    for form in ("QDQ", "QOperator", "dynamic"):
        int8 = work / f"{form}.onnx"
        if form == "dynamic":
            quantize_dynamic(str(fp32), str(int8), weight_type=QuantType.QUInt8)
        else:
            quantize_static(str(fp32), str(int8), Reader([feeds]), quant_format=QuantFormat[form])
        values = compare(tool, int8, fp32, work / "inputs.npz")
        paired = [value for value in values.values() if value["name_a"] and value["name_b"]]
        wrong += [f"{form}: {value['name']}: {value['reason']}" for value in paired if value["verdict"] in ("shape", "type")]
        seen.append(f"{form} {len(paired)} pairs")
        if not paired:
            wrong.append(f"{form}: no pairs")
        if form != "QDQ":
            continue
        expected = by_onnx_runtime(fp32, int8, feeds, work)
        for name in feeds:  # which no node computes
            expected.pop(name, None)
        for name, snr in expected.items():
            entry = values.get(f"{name}_DequantizeLinear_Output", values.get(name))
            if entry is None or entry["name_b"] != name:
                wrong.append(f"{form}: {name} has no pair")
            elif entry["snr_db"] is not None and abs(entry["snr_db"] - snr) > 1e-6:
                wrong.append(f"{form}: {name}: {entry['snr_db']} dB, ONNX Runtime says {snr}")
        seen.append(f"{len(expected)} as ONNX Runtime has them")
    return ", ".join(seen), wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--models", default="blazeface,light-squeezenet,ppocr4-det")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    failed, judged = 0, 0
    for name in options.models.split(","):
        path = fetch_models.MODELS / f"{name}.onnx"
        if not path.exists():
            continue
        judged += 1
        with tempfile.TemporaryDirectory() as folder:
            seen, wrong = judge(options.tool, path, Path(folder))
        failed += bool(wrong)
        if wrong or options.verbose:
            print("\n  ".join([f"{name}: {seen}", *wrong]), flush=True)
    print(f"{judged} models, {failed} failures")
    return 77 if not judged else 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""fp32 against its int8 twins by ONNX Runtime's quantiser: pairs are found, and SNR is what its QDQ debugging says.

    quantized_test.py --tool BIN [-v]
"""

import argparse
import json
import logging
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
    from onnxruntime import quantization
    from onnxruntime.quantization import qdq_loss_debug
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

logging.disable(logging.WARNING)


def network(path):
    """Convolutions, an addition and a classifier, with weights that aren't tame."""
    r = np.random.default_rng(3)

    def weight(name, *shape):
        return numpy_helper.from_array((r.normal(size=shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32), name)

    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["r1"], "relu1"),
        helper.make_node("Conv", ["r1", "w2", "b2"], ["c2"], "conv2", pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["c2", "r1"], ["s"], "add"),
        helper.make_node("Relu", ["s"], ["r2"], "relu2"),
        helper.make_node("GlobalAveragePool", ["r2"], ["g"], "pool"),
        helper.make_node("Flatten", ["g"], ["f"], "flatten"),
        helper.make_node("MatMul", ["f", "w3"], ["y"], "classify"),
    ]
    graph = helper.make_graph(
        nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 16, 16])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 10])],
        [weight("w1", 8, 3, 3, 3), weight("b1", 8), weight("w2", 8, 8, 3, 3), weight("b2", 8),
         numpy_helper.from_array(r.normal(size=(8, 10)).astype(np.float32), "w3")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))


class Reader(quantization.CalibrationDataReader):
    def __init__(self, feeds):
        self.feeds = iter(feeds)

    def get_next(self):
        return next(self.feeds, None)


def compare(tool, a, b, inputs, *flags):
    run = subprocess.run([tool, "compare", a, b, "--quantized", "--inputs", inputs, "--json", *flags],
                         capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise SystemExit(f"{a}: exit {run.returncode}: {run.stderr}")
    return {value["name"]: value for value in json.loads(run.stdout)["values"]}


def by_onnx_runtime(fp32, int8, sample, work):
    """name -> SNR in dB of what follows the quantisation, by qdq_loss_debug."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1  # as the tool has it: sums of float depend on it
    activations = []
    for model, name in ((fp32, "fp32"), (int8, "int8")):
        augmented = str(work / f"{name}_augmented.onnx")
        qdq_loss_debug.modify_model_output_intermediate_tensors(str(model), augmented)
        collected = qdq_loss_debug.collect_activations(augmented, Reader([sample]), options)
        # In double: its norms of long float tensors are off in the fourth digit.
        activations.append({value: [array.astype(np.float64) if array.dtype == np.float32 else array for array in arrays]
                            for value, arrays in collected.items()})
    pairs = qdq_loss_debug.create_activation_matching(activations[1], activations[0])
    return {name: error["xmodel_err"] for name, error in qdq_loss_debug.compute_activation_error(pairs).items()
            if "xmodel_err" in error}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    failures, checked = [], 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        fp32 = work / "fp32.onnx"
        network(fp32)
        r = np.random.default_rng(5)
        samples = [{"x": r.normal(size=(1, 3, 16, 16)).astype(np.float32)} for _ in range(4)]
        np.savez(work / "inputs.npz", **samples[0])
        formats = {"qdq": quantization.QuantFormat.QDQ, "qoperator": quantization.QuantFormat.QOperator}
        for name, form in formats.items():
            quantization.quantize_static(str(fp32), str(work / f"{name}.onnx"), Reader(samples), quant_format=form)
        quantization.quantize_dynamic(str(fp32), str(work / "dynamic.onnx"), weight_type=quantization.QuantType.QUInt8)

        values = compare(options.tool, work / "qdq.onnx", fp32, work / "inputs.npz", "--introduced")
        for name, expected in by_onnx_runtime(fp32, work / "qdq.onnx", samples[0], work).items():
            if name == "x":  # a graph input, which no node computes
                continue
            entry = values.get(f"{name}_DequantizeLinear_Output", values.get(name))
            if entry is None or entry["name_b"] != name:
                failures.append(f"qdq: {name} has no pair")
                continue
            checked += 1
            if options.verbose:
                print(f"qdq {name}: {entry['snr_db']:.4f} dB, ONNX Runtime {expected:.4f} dB")
            if abs(entry["snr_db"] - expected) > 1e-6:
                failures.append(f"qdq: {name}: {entry['snr_db']} dB, ONNX Runtime says {expected}")
        if not any(value["introduced"] for value in values.values()):
            failures.append("qdq: no introduced error at all")

        for name in ("qoperator", "dynamic"):
            values = compare(options.tool, work / f"{name}.onnx", fp32, work / "inputs.npz", "--introduced")
            paired = [v for v in values.values() if v["name_a"] and v["name_b"]]
            wrong = [v["name"] for v in paired if v["verdict"] in ("shape", "type")]
            # A Relu behind c1 and s is taken into their quantisation: these aren't the same values any more.
            low = [v["name"] for v in paired if v["snr_db"] is not None and v["snr_db"] < 15 and
                   v["name_b"] not in ("c1", "s")]
            checked += len(paired)
            if options.verbose:
                for v in paired:
                    print(f"{name} {v['name_a']} = {v['name_b']}: {v['snr_db']} dB, introduced {v['introduced']}")
            if len(paired) < 6 and name == "qoperator" or wrong or low:
                failures.append(f"{name}: {len(paired)} pairs, of other types {wrong}, far off {low}")
    print("\n".join(failures + [f"{checked} pairs, {len(failures)} failures"]))
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())

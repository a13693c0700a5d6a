#!/usr/bin/env python3
"""examples/pytorch_values.py: hooks, names and the map, and that `compare` reads what it saves.

    pytorch_test.py --tool BIN

A stand-in takes the place of PyTorch: a model whose modules and tensors have the few methods that the example calls, and
an ONNX model that names scopes as torch.onnx.export does. pytorch_real_test.py is the same with PyTorch itself. Needs
numpy, onnx and onnxruntime (exit 77 without).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import onnx
    import onnxruntime  # noqa: F401  the tool finds its library beside it
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
import pytorch_values  # noqa: E402


class Tensor:
    """As much of a torch.Tensor as is asked for."""

    def __init__(self, array):
        self.array, self.dtype = array, f"torch.{array.dtype}"

    def detach(self):
        return self

    cpu = detach

    def numpy(self):
        return self.array


class Handle:
    def __init__(self, hooks, hook):
        self.hooks, self.hook = hooks, hook

    def remove(self):
        self.hooks.remove(self.hook)


class Module:
    def __init__(self, function, children=()):
        self.function, self.children, self.hooks, self.pre_hooks = function, dict(children), [], []

    def register_forward_hook(self, hook):
        self.hooks.append(hook)
        return Handle(self.hooks, hook)

    def register_forward_pre_hook(self, hook):
        self.pre_hooks.append(hook)
        return Handle(self.pre_hooks, hook)

    def named_modules(self, prefix="", remove_duplicate=True):
        del remove_duplicate  # there are none
        yield prefix, self
        for name, child in self.children.items():
            yield from child.named_modules(prefix=f"{prefix}.{name}" if prefix else name)

    def __call__(self, x):
        for hook in self.pre_hooks:
            hook(self, (x,))
        output = self.function(self, x)
        for hook in self.hooks:
            hook(self, (x,), output)
        return output


def chain(module, x):
    for child in module.children.values():
        x = child(x)
    return x


def stand_in(r):
    """A model of two blocks with two linear layers and a Relu each, and the same in ONNX."""
    nodes, weights, blocks, value = [], [], {}, "x"
    for block in ("0", "1"):
        children = {}
        for layer in ("fc", "act"):
            name = f"blocks.{block}.{layer}"
            scopes = str(["", "blocks", f"blocks.{block}", name, f"op_{len(nodes)}"])
            output = f"val_{len(nodes)}"
            if layer == "fc":
                w = r.normal(size=(6, 6)).astype(np.float32)
                weights.append(numpy_helper.from_array(w, f"{name}.weight"))
                node = helper.make_node("MatMul", [value, f"{name}.weight"], [output], f"node_{output}")
                children[layer] = Module(lambda module, x, w=w: Tensor(x.array @ w))
            else:
                node = helper.make_node("Relu", [value], [output], f"node_{output}")
                children[layer] = Module(lambda module, x: Tensor(np.maximum(x.array, 0)))
            node.metadata_props.add(key="pkg.torch.onnx.name_scopes", value=scopes)
            nodes.append(node)
            value = output
        blocks[block] = Module(chain, children)
    graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 6])],
                              [helper.make_tensor_value_info(value, TensorProto.FLOAT, [2, 6])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    return Module(chain, {"blocks": Module(chain, blocks)}), model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    tool = parser.parse_args().tool
    r = np.random.default_rng(1)
    x = r.normal(size=(2, 6)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        network, model = stand_in(r)
        onnx.save(model, str(work / "m.onnx"))
        recording = pytorch_values.record(network, (Tensor(x),))
        assert not any(module.hooks + module.pre_hooks for _, module in network.named_modules()), "hooks are left"
        pytorch_values.write(recording, work / "torch.npz")
        np.savez(work / "in.npz", x=x)
        pairs = pytorch_values.write_map(str(work / "m.onnx"), work / "torch.npz", work / "names")
        assert len(pairs) == 8, pairs  # four layers, two blocks, what holds them, the model
        subprocess.run([tool, "-q", "run", work / "m.onnx", "--all", "--inputs", work / "in.npz", "-o", work / "dump"],
                       check=True, stdout=subprocess.DEVNULL)
        run = subprocess.run([tool, "compare", work / "torch.npz", work / "dump", "--map-file", work / "names", "--json"],
                             capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
        compared = [v for v in json.loads(run.stdout)["values"] if v["verdict"] in ("identical", "close")]
        assert len(compared) == 8, compared
        print(f"{len(compared)} values of modules compared")


if __name__ == "__main__":
    main()

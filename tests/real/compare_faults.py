#!/usr/bin/env python3
"""Injects known faults into real models; `compare` must name the node, and nothing where nothing was injected.

    compare_faults.py --tool BIN [--models default|full] [--filter RE] [--seed N] [--tries N] [-v]

Each fault (faults.py) goes into one node. A node whose result it doesn't change bit by bit, or by less than the
tolerance, is passed over for another, and so is one where it leaves a model that can't run. What is right:
  named      the node, and nothing else, is the first divergence
  no node    the model has none for this fault
  no effect  none of the nodes that were tried makes a difference
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

try:
    import numpy as np
    import onnx

    import fetch_models
    from faults import INJECT, Place, candidates
    from feeds import feeds_for, read_manifest, stored_folder
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FAULTS = ("scale", "relu", "axis", "fp16")
PASSED_OVER = ("no effect", "no run", "within tolerance")
RIGHT = ("named", "no node", *PASSED_OVER)


class Judge:
    """One model and its inputs."""

    def __init__(self, tool, path, seed, tries, work):
        self.tool, self.path, self.seed, self.tries, self.work = tool, path, seed, tries, work
        self.model = onnx.load(str(path))
        self.flags = ["--deep"] if any(attribute.type == attribute.GRAPH for node in self.model.graph.node
                                       for attribute in node.attribute) else []
        self.inputs = stored_folder(path, self.model)
        if self.inputs is None:
            self.inputs = work / "inputs.npz"
            np.savez(self.inputs, **feeds_for(path, self.model))
        self.values, self.least = {}, {}  # by name: what compare says, the least element

    def compare(self, faulty):
        """What compare says as JSON, or why it doesn't."""
        run = subprocess.run([self.tool, "compare", faulty, self.path, "--inputs", self.inputs, "--json", *self.flags],
                             capture_output=True, text=True, check=False)
        if run.returncode not in (0, 1):
            return None, run.stderr.strip().splitlines()[-1:]
        return json.loads(run.stdout), []

    def same(self):
        """Against itself. What is wrong, if anything is."""
        result, text = self.compare(self.path)
        if result is None:
            return f"not run: {text}"
        self.values = {value["name"]: value for value in result["values"]}
        if result["verdict"] != "same" or result["first_divergence"]:
            return f"differs from itself: {result['first_divergence']}"
        dump = self.work / "statistics"
        subprocess.run([self.tool, "-q", "run", self.path, "--all", *self.flags, "--stats-only", "--inputs",
                        self.inputs, "-o", dump], check=True, stdout=subprocess.DEVNULL)
        for value in json.loads((dump / "manifest.json").read_text())["values"]:
            self.least[value["name"]] = (value["stats"] or {}).get("min")
        return ""

    def names(self, site, values):
        """What values of a node are called in the comparison: those of bodies have the path before them."""
        if not site.path:
            return [name for name in values if name in self.values]
        ends = tuple(f"/{name}" for name in values if name)
        return [name for name in self.values if ends and name.endswith(ends)]

    def usable(self, fault):
        def test(site, node):
            shown = self.names(site, node.output)
            first = self.values[shown[0]] if shown else None
            # The first output is what most faults change; it must hold something.
            if first is None or not node.output[0] or not first["count"]:
                return False
            if node.op_type == "Relu" and fault == "relu":  # in some models few have anything to do
                least = [self.least.get(name) for name in self.names(site, node.input[:1])]
                return all(value is None or value < 0 for value in least)
            return fault not in ("fp16", "none") or first["type_a"].startswith("float[")
        return test

    def inject(self, fault, site):
        """How it went with the fault in that node."""
        faulty = onnx.ModelProto()
        faulty.CopyFrom(self.model)
        names = self.names(site, Place(faulty, site).node.output)
        dims = tuple(int(dim) for dim in re.findall(r"\d+", self.values[names[0]]["type_a"].partition("[")[2]))
        if not INJECT[fault](Place(faulty, site, dims)):
            return "no node"
        target = self.work / "faulty.onnx"
        onnx.save(faulty, str(target))
        result, _ = self.compare(target)
        if result is None:
            return "no run"
        named = [entry["name"] for entry in result["first_divergence"]]
        values = [value for value in result["values"] if value["name"] in names]
        return verdict(values, named, names)

    def fault(self, fault):
        """The outcome and the op type of the node."""
        outcome, outcomes = "no node", Counter()
        found = candidates(self.model, fault, self.usable(fault), self.seed)
        for site in found:
            outcome = self.inject(fault, site)
            outcomes[outcome] += outcome != "no node"
            if outcome not in (*PASSED_OVER, "no node"):
                return outcome, Place(self.model, site).node.op_type
            if outcomes.total() == self.tries:
                break
        return (outcomes.most_common(1)[0][0] if outcomes.total() else "no node"), ""

    def detour(self):
        """What is wrong with a model that is changed without a fault."""
        found = candidates(self.model, "none", self.usable("none"), self.seed)
        outcome = self.inject("none", found[0]) if found else "no effect"
        return "" if outcome == "no effect" else f"nothing injected: {outcome}"


def verdict(values, named, names):
    """Of a fault in the node whose values are called `names`."""
    verdicts = {value["verdict"] for value in values if value["name_a"] and value["name_b"]}
    if named and set(named) <= set(names):
        return "named"
    if set(named) & set(names):
        return f"named among {named}"
    if verdicts <= {"identical"}:
        return f"unchanged, but named {named}" if named else "no effect"
    if verdicts <= {"identical", "close"}:
        return "within tolerance"
    worst = max(values, key=lambda value: value["max_abs"] or 0)
    return f"{worst['name']} differs by {worst['max_abs']} (SNR {worst['snr_db']} dB), named {named}"


def judge(tool, path, seed, tries):
    """fault -> (outcome, op type), and what is wrong with the comparison where nothing was injected."""
    with tempfile.TemporaryDirectory() as folder:
        model = Judge(tool, path, seed, tries, Path(folder))
        wrong = model.same() or model.detour()
        if wrong:
            return {}, wrong
        return {fault: model.fault(fault) for fault in FAULTS}, ""


def print_table(rows):
    """Model, and for each fault the outcome with the op type of the node."""
    width = max(len(name) for name in rows)
    print(" ".join([f"{'model':{width}}", *(f"{fault:26}" for fault in FAULTS)]).rstrip())
    for name, outcomes in rows.items():
        cells = [f"{outcome} {op and f'({op})'}"[:26] for outcome, op in outcomes.values()]
        print(" ".join([f"{name:{width}}", *(f"{cell:26}" for cell in cells)]).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--models", choices=["default", "full"], default="full")
    parser.add_argument("--filter", default="", metavar="RE", help="only models whose name this matches (searched)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tries", type=int, default=20, help="nodes that a fault goes into until it has an effect")
    parser.add_argument("-v", "--verbose", action="store_true", help="say of every model what was seen")
    options = parser.parse_args()
    rows = [row for row in read_manifest() if options.models == "full" or row["set"] == "default"]
    paths = [fetch_models.MODELS / f"{row['id']}.onnx" for row in rows if re.search(options.filter, row["id"])]
    paths = [path for path in paths if path.exists()]
    if not paths:
        print("no models in the cache: tests/real/fetch_models.py fetches them")
        return 77
    table, failures, named = {}, 0, Counter()
    for path in paths:
        outcomes, wrong = judge(options.tool, path, options.seed, options.tries)
        table[path.stem] = outcomes
        bad = [wrong] if wrong else [f"{fault}: {text}" for fault, (text, _) in outcomes.items() if text not in RIGHT]
        failures += len(bad)
        named[path.stem] = sum(text == "named" for text, _ in outcomes.values())
        if bad or options.verbose:
            seen = "; ".join(f"{fault}: {text} {op}".rstrip() for fault, (text, op) in outcomes.items())
            print(f"{'FAILED: ' if bad else ''}{path.stem}: {'; '.join(bad) or seen}", flush=True)
    if options.verbose:
        print_table(table)
    print(f"{named.total()} faults in {sum(count > 0 for count in named.values())} of {len(paths)} models named, "
          f"{failures} failures")
    return 1 if failures or not named.total() else 0


if __name__ == "__main__":
    sys.exit(main())

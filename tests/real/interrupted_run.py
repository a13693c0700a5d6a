#!/usr/bin/env python3
"""Stops `onnx-expose run` at random moments and takes the disk away: there never is a dump that looks complete and isn't.

  interrupted_run.py --tool BIN [--kills 20]
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

NODES = 60
ELEMENTS = 1 << 18  # 1 MiB each
RUNS = ([], ["--max-memory", "8M"], ["--format", "npz"])


def make_model(path):
    """A chain, and its first value once more at the end: in pieces it waits in a file."""
    names = [f"v{i}" for i in range(NODES)]
    nodes = [helper.make_node("Neg" if i % 2 else "Sigmoid", ["x" if i == 0 else names[i - 1]], [names[i]])
             for i in range(NODES)]
    nodes.append(helper.make_node("Add", [names[0], names[-1]], ["y"]))
    shape = [1, ELEMENTS]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def start(tool, folder, flags, **options):
    command = [tool, "run", "m.onnx", "--all", "-q", "-o", "dump", "--force", *flags]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)


def complaint(folder):
    """What is wrong with the dump if it looks complete; "" otherwise."""
    manifest = folder / "dump" / "manifest.json"
    if not manifest.exists():
        return ""
    values = json.loads(manifest.read_text())["values"]
    if len(values) != NODES + 1:
        return f"the manifest has {len(values)} values of {NODES + 1}"
    for value in values:
        try:
            array = np.load(folder / "dump" / value["file"])
            array = array[value["member"]] if value.get("member") else array
        except Exception as error:
            return f"{value['file']}: {error}"
        if array.shape != (1, ELEMENTS):
            return f"{value['file']} has shape {array.shape}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help="the onnx-expose binary")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tool = os.path.abspath(options.tool)
    problems = []

    def expect(true, what):
        if not true:
            problems.append(what)

    with tempfile.TemporaryDirectory(prefix="interrupted.") as folder:
        folder = Path(folder)
        make_model(folder / "m.onnx")
        seconds = []
        for flags in RUNS:
            begin = time.monotonic()
            process = start(tool, folder, flags)
            said = process.communicate()[1].decode()
            expect(process.returncode == 0 and complaint(folder) == "", f"{flags}: {said}{complaint(folder)}")
            seconds.append(time.monotonic() - begin)

        dice = random.Random(options.seed)
        incomplete = 0
        for kill in range(options.kills):
            number = [signal.SIGKILL, signal.SIGKILL, signal.SIGINT][kill % 3]
            which = dice.randrange(len(RUNS))
            process = start(tool, folder, RUNS[which])
            time.sleep(dice.uniform(0.05, seconds[which]))
            process.send_signal(number)
            process.communicate()
            expect(process.returncode in (0, -signal.SIGKILL, 130), f"exit {process.returncode} after signal {number}")
            expect(complaint(folder) == "", f"signal {number}, {RUNS[which]}: {complaint(folder)}")
            incomplete += not (folder / "dump" / "manifest.json").exists()
            scratch = list(folder.glob(".onnx-expose-*"))
            expect(number == signal.SIGKILL or not scratch, f"left behind after signal {number}: {scratch}")
            for rest in scratch:
                subprocess.run(["rm", "-r", rest], check=True)

        # A file that can't be as large as it must: what a full disk looks like.
        limit = (ELEMENTS * 2, ELEMENTS * 2)
        process = start(tool, folder, [], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
        said = process.communicate()[1].decode()
        expect(process.returncode == 5 and "can't be written" in said, f"file too large: exit {process.returncode}, {said}")
        expect(not (folder / "dump" / "manifest.json").exists(), "a manifest where a file could not be written")
        done = subprocess.run([tool, "run", "m.onnx", "-o", "/proc/none/dump"], cwd=folder, capture_output=True)
        expect(done.returncode == 5, f"a folder that can't be: exit {done.returncode}, {done.stderr.decode()}")

    for problem in problems:
        print(f"FAIL {problem}")
    print(f"{options.kills} runs stopped, {incomplete} before the dump was complete; {len(problems)} problems")
    return 1 if problems or (options.kills >= 20 and incomplete == 0) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the golden tests: text files that hold models, commands and what they must say.

    run_golden.py --tool BIN [--filter RE] [--rebase] [--jobs N] FOLDER_OR_FILE...

--rebase writes what the tool says now into the files. Needs Python 3.9 and nothing else.

A case is a file *.txt: a comment that says why it is there, files, commands with their expectations.

    # A value that is an output already is not added again.
    === file NAME             the lines up to the next line of === or $, as they are
    === model NAME            protobuf text of a model, stored as bytes (protobuf_text.py)
    === hex NAME              bytes, two digits each
    === copy NAME SOURCE      a file of tests/data
    ===                       ends the last file
    $ onnx-expose m.onnxtxt   a command for sh, in a fresh folder with these files; all commands share the folder
    > x                       a line of its standard output
    ! x                       a line of its standard error
    >~ x                      a last line without newline (also !~)
    exit 4                    its exit code, if that isn't 0

Commands see LC_ALL=C, an empty home folder and no variables that change the tool. Cases whose comment says "needs ONNX
Runtime" are skipped without `--ort LIBRARY`; $ONNX_EXPOSE_ORT names it to the tool, in these cases alone.
"""

import argparse
import difflib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import protobuf_text  # noqa: E402

DATA = Path(__file__).resolve().parent.parent / "data"
SECTION = re.compile(r"===(?: (file|model|hex|copy) (\S+)(?: (\S+))?)?$")
SECONDS = 60
SKIPPED = object()


def read(path):
    return path.read_bytes().decode("utf-8", "surrogateescape")


class Case:
    def __init__(self, path):
        self.path = path
        self.text = read(path)
        self.head = []      # lines up to the first command
        self.files = []     # (kind, name, source, lines)
        self.commands = []  # (command, lines that are expected)
        self.parse()

    def parse(self):
        body = None
        for number, line in enumerate(self.text.splitlines(), 1):
            section = SECTION.match(line)
            if line.startswith("$ "):
                self.commands.append((line[2:], []))
            elif self.commands:
                if not re.match(r"[>!]~?( |$)|exit \d+$", line):
                    raise ValueError("%s:%d: not a line of output: %s" % (self.path, number, line))
                self.commands[-1][1].append(line)
                continue
            else:
                self.head.append(line)
                if section:
                    body = None
                    if section.group(1):
                        body = []
                        self.files.append((*section.groups(), body))
                elif body is not None:
                    body.append(line)
                elif line and not line.startswith("#"):
                    raise ValueError("%s:%d: neither comment nor file: %s" % (self.path, number, line))
        if not self.commands:
            raise ValueError("%s: no command" % self.path)

    def prepare(self, folder):
        for kind, name, source, lines in self.files:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            text = "".join(line + "\n" for line in lines)
            if kind == "copy":
                shutil.copyfile(DATA / source, target)
            elif kind == "model":
                target.write_bytes(protobuf_text.model_bytes(text))
            elif kind == "hex":
                target.write_bytes(bytes.fromhex(text))
            else:
                target.write_bytes(text.encode("utf-8", "surrogateescape"))

    @property
    def needs_runtime(self):
        return any(line.startswith("#") and "needs ONNX Runtime" in line for line in self.head)

    def run(self, tool, runtime):
        """The text that the file would have if everything is right."""
        with tempfile.TemporaryDirectory(prefix="golden-") as name:
            base = Path(name)
            (base / "bin").mkdir()
            (base / "bin" / "onnx-expose").symlink_to(tool)
            work = base / "work"
            work.mkdir()
            self.prepare(work)
            environment = {"PATH": "%s:/usr/bin:/bin" % (base / "bin"), "LC_ALL": "C", "HOME": str(base)}
            if self.needs_runtime:
                environment["ONNX_EXPOSE_ORT"] = str(runtime)
            environment.update({key: value for key, value in os.environ.items() if key.endswith("SAN_OPTIONS")})
            lines = list(self.head)
            for command, _ in self.commands:
                lines.append("$ " + command)
                lines += said(command, work, environment)
            return "\n".join(lines) + "\n"


def said(command, folder, environment):
    process = subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return ["! no end after %d seconds" % SECONDS]
    lines = marked(">", out) + marked("!", err)
    if process.returncode:
        lines.append("exit %d" % (process.returncode if process.returncode > 0 else 128 - process.returncode))
    return lines


def marked(mark, data):
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    last = lines.pop()
    result = [(mark + " " + line).rstrip(" ") if not line else mark + " " + line for line in lines]
    return result + ([mark + "~ " + last] if last else [])


def cases_below(places, pattern):
    found = []
    for place in map(Path, places):
        found += sorted(place.rglob("*.txt")) if place.is_dir() else [place]
    return [path for path in found if re.search(pattern, str(path))]


def main():
    parser = argparse.ArgumentParser(description="Runs the golden tests.")
    parser.add_argument("places", nargs="+", metavar="FOLDER_OR_FILE")
    parser.add_argument("--tool", required=True, help="the onnx-expose program")
    parser.add_argument("--filter", default="", metavar="RE", help="only files whose path this matches")
    parser.add_argument("--ort", type=Path, metavar="LIBRARY", help="ONNX Runtime, for the cases that need it")
    parser.add_argument("--rebase", action="store_true", help="write what the tool says now into the files")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    options = parser.parse_args()
    tool = Path(options.tool).resolve()
    if not tool.is_file():
        parser.error("no file %s" % options.tool)
    os.umask(0o022)

    def outcome(path):
        try:
            case = Case(path)
            if case.needs_runtime and not options.ort:
                return SKIPPED, SKIPPED
            return case.text, case.run(tool, options.ort)
        except (ValueError, OSError, KeyError) as error:
            return None, "%s: %s" % (path, error)

    failed = passed = skipped = 0
    paths = cases_below(options.places, options.filter)
    with ThreadPoolExecutor(options.jobs) as pool:
        for path, (wanted, got) in zip(paths, pool.map(outcome, paths)):
            if wanted is SKIPPED:
                skipped += 1
                continue
            if wanted == got:
                passed += 1
                continue
            failed += 1
            if wanted is None:
                show(got + "\n")
            elif options.rebase:
                path.write_bytes(got.encode("utf-8", "surrogateescape"))
                show("rebased %s\n" % path)
            else:
                show("FAIL %s\n" % path)
                show("".join(difflib.unified_diff(wanted.splitlines(True), got.splitlines(True), "expected", "now")))
    if skipped:
        print("%d skipped: they need ONNX Runtime (--ort, scripts/onnxruntime.sh)" % skipped)
    print("%d passed, %d %s" % (passed, failed, "rebased" if options.rebase else "failed"))
    if not paths:
        print("no cases: a test of nothing proves nothing")
    return 1 if (failed and not options.rebase) or not paths else 0


def show(text):
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Holds the rules of who may include whom, and who may touch the world outside.

Usage: include_rules.py ROOT        check the tree, one finding a line, exit 1 if there is any
       include_rules.py --self-test  check that each rule finds its violation
"""

import re
import sys
import tempfile
from pathlib import Path

# Folder of src/ -> folders it may include besides itself. The public header
# include/onnx_expose/X.h belongs to the stage it describes (OWNER below).
MAY_INCLUDE = {
    "support": set(),
    "model": {"support"},
    "loader": {"model", "support"},
    "selector": {"model", "support"},
    "rewriter": {"model", "support"},
    "writer": {"model", "support"},
    "check": {"model", "support"},
    "tensor": {"support"},
    "compare": {"tensor", "support"},
    "report": {"tensor", "compare", "support"},
    "runtime": {"tensor", "support"},
    # The recipes: the one place where the stages meet.
    "pipeline": {"model", "loader", "selector", "rewriter", "writer", "check",
                 "tensor", "runtime", "compare", "report", "support"},
    "cli": None,  # everything
}

# Public headers whose name is not their stage's.
OWNER = {
    "error": "support",
    "version": "support",
    "skeleton": "model",
    "graph_index": "model",
    "value_types": "model",
    # "Selection" is what selector hands to rewriter: a type of the model, so
    # that neither needs to know the other.
    "selection": "model",
    "expose": "rewriter",
    "strip": "rewriter",
    "submodel": "rewriter",
    "run": "pipeline",
    "bench": "pipeline",
    "compare_models": "pipeline",
    "channels": "compare",
    "dump": "tensor",
    "element_types": "support",
    "statistics": "tensor",
    "tensor_files": "tensor",
    "feeds": "runtime",
    "serve": "report",
    "onnx_expose": "pipeline",
}

# Third-party headers and the folders that may include them.
MODEL_FOLDERS = {"model", "loader", "selector", "rewriter", "writer", "check",
                 "pipeline", "cli"}
THIRD_PARTY = [
    # tensor: TensorProto and its kin, as ONNX's test data has them.
    (r"(onnx|google/protobuf)/", MODEL_FOLDERS | {"tensor"},
     "knows ONNX models, which only the stages that handle them may"),
    (r"onnxruntime", {"runtime"}, "only runtime knows ONNX Runtime"),
    (r"event2/", {"report"}, "only report serves pages"),
    (r"CLI/", {"cli"}, "only cli knows CLI11"),
]

# Words in code (comments and string literals taken out), and the folders that
# may use them. "main" is src/main.cc.
WORDS = [
    (r"\b(std::)?(exit|_exit|quick_exit|abort|terminate)\s*\(", {"cli", "main"},
     "the library never ends the process"),
    (r"\b(secure_)?getenv\s*\(|\benviron\b", {"cli", "main"},
     "the library never reads the environment"),
    (r"\b(std::)?(cin|cout|cerr|clog|stdin|stdout|stderr)\b|\bSTDERR_FILENO\b",
     {"cli", "main"}, "the library never prints and never reads the standard streams"),
    # "-" as MODEL and OUT is a part of what the two promise.
    (r"\bSTDIN_FILENO\b", {"cli", "main", "loader"}, "only the loader reads standard input"),
    (r"\bSTDOUT_FILENO\b", {"cli", "main", "writer"}, "only the writer writes a model to standard output"),
    (r"(?<![\w:.>])(std::|fmt::)?(printf|puts|putchar|println|print|perror|vprintf)\s*\(",
     {"cli", "main"}, "the library never prints"),
    (r"\busing\s+namespace\b", set(), "no using namespace"),
]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
# In the order in which they are to be recognised; only code is kept.
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'", re.S)


def owner(relative):
    """The stage a file or an include path belongs to, or None for a stranger's."""
    parts = Path(relative).parts
    if parts[0] == "onnx_expose" and len(parts) == 2:
        stem = Path(relative).stem
        return stem if stem in MAY_INCLUDE else OWNER.get(stem, "?")
    return parts[0] if parts[0] in MAY_INCLUDE else None


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def check_file(root, path):
    text = path.read_text(encoding="utf-8")
    where = path.relative_to(root)
    inside = path.relative_to(root / where.parts[0])
    if where.as_posix() == "src/main.cc":
        stage = "main"
    elif where.parts[0] == "src" and len(inside.parts) == 1:
        stage = "pipeline" if inside.stem == "pipeline" else None
    else:
        stage = owner(inside)
    if stage in (None, "?"):
        return [(where, 1, "belongs to no stage; add it to tests/lint/include_rules.py")]

    findings = []
    for match in INCLUDE.finditer(re.sub(r"/\*.*?\*/", blank, text, flags=re.S)):
        line = text.count("\n", 0, match.start(2)) + 1
        included = match.group(2)
        other = owner(included)
        may = {"cli": None, "main": None}.get(stage, MAY_INCLUDE.get(stage))
        if other == "?":
            findings.append((where, line, f"'{included}' belongs to no stage"))
        elif other is not None:
            if may is not None and other != stage and other not in may:
                findings.append((where, line, f"{stage} may not include {other} ('{included}')"))
        elif match.group(1) == '"' and "/" not in included:
            findings.append((where, line, f"'{included}': write the path from src/ or include/"))
        else:
            for pattern, folders, why in THIRD_PARTY:
                if re.match(pattern, included) and stage not in folders:
                    findings.append((where, line, f"{stage} includes '{included}': {why}"))
            if stage == "support" and "/" in included and not included.startswith(
                    ("fmt/", "sys/", "nlohmann/")):
                findings.append((where, line, f"support is std, fmt and nlohmann only, not '{included}'"))

    code = NOISE.sub(blank, text)
    for pattern, folders, why in WORDS:
        if stage in folders:
            continue
        for match in re.finditer(pattern, code):
            line = code.count("\n", 0, match.start()) + 1
            findings.append((where, line, f"'{match.group().strip()}' in {stage}: {why}"))
    return findings


def check(root):
    findings = []
    for folder in ("include", "src"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc"):
                findings += check_file(root, path)
    return findings


def self_test():
    good = {
        "src/main.cc": '#include "cli/main.h"\nint main() { return 0; }\n',
        "src/cli/main.cc": '#include <CLI/CLI.hpp>\n#include "loader/wire.h"\nvoid F() { std::cout << getenv("A"); }\n',
        "src/loader/wire.cc": '#include "loader/wire.h"\n#include "onnx/onnx_pb.h"\n#include "model/skeleton.h"\n'
                              '#include "onnx_expose/skeleton.h"\n#include "support/text.h"\n'
                              "// std::cout, exit(1)\n/* getenv(x) */\nconst char* k = \"printf(stdout)\";\n"
                              "void G() { x.print(1); big = 1'000'000; on_exit(); }\n",
        "src/pipeline.cc": '#include "loader/a.h"\n#include "writer/b.h"\n',
        "src/support/text.cc": "#include <sys/stat.h>\n#include <fmt/format.h>\n#include <unistd.h>\n",
        "include/onnx_expose/loader.h": '#include "onnx_expose/skeleton.h"\n',
        "src/compare/a.cc": '#include "tensor/npy.h"\n',
    }
    bad = {
        "src/loader/a.cc": ['#include "writer/file.h"', '#include "onnx_expose/writer.h"', "#include <CLI/CLI.hpp>",
                            '#include "cli/console.h"', "#include <onnxruntime_cxx_api.h>", '#include "wire.h"',
                            "void F() { exit(1); }", "void F() { std::abort(); }", "auto x = std::getenv(name);",
                            "void F() { std::cerr << 1; }", "void F() { fmt::print(stderr, x); }", "void F() { puts(x); }",
                            "int a = '\"'; void F() { printf(x); } int b = '\"';", "using namespace std;",
                            '#  include   "selector/x.h"', '/* x */ int a; /* y */\n#include "rewriter/x.h"',
                            '#include "onnx_expose/no_such_stage.h"'],
        "src/selector/a.cc": ['#include "loader/wire.h"', '#include "rewriter/x.h"'],
        "src/rewriter/a.cc": ['#include "selector/x.h"', '#include "onnx_expose/selector.h"'],
        "src/writer/a.cc": ['#include "loader/wire.h"'],
        "src/model/a.cc": ['#include "loader/wire.h"', "#include <CLI/CLI.hpp>"],
        "src/tensor/a.cc": ['#include "model/skeleton.h"', '#include "runtime/session.h"'],
        "src/runtime/a.cc": ['#include "onnx/onnx_pb.h"', '#include "model/skeleton.h"'],
        "src/compare/a.cc": ['#include "onnx/onnx_pb.h"', '#include "report/html.h"'],
        "src/report/a.cc": ['#include "model/skeleton.h"'],
        "src/support/a.cc": ["#include <re2/re2.h>", '#include "model/skeleton.h"',
                             '#include "onnx/onnx_pb.h"'],
        "include/onnx_expose/writer.h": ['#include "onnx_expose/loader.h"'],
        "src/nowhere/a.cc": [""],
        "src/stray.cc": [""],
    }

    def run(files):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return check(root)

    failures = [f"found in good code: {finding}" for finding in run(good)]
    cases = 0
    for name, texts in bad.items():
        for text in texts:
            cases += 1
            lines = {finding[1] for finding in run({name: text + "\n"})}
            if len(lines) != 1:
                failures.append(f"{name}: {text!r}: found in {len(lines)} lines, not in one")
    print("\n".join(failures + [f"self-test: {cases} violations, {len(failures)} failures"]))
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0]).resolve()
    findings = check(root)
    for path, line, what in findings:
        print(f"{path}:{line}: {what}")
    files = sum(path.suffix in (".h", ".cc") for f in ("include", "src") for path in (root / f).rglob("*"))
    print(f"include rules: {files} files, {len(findings)} findings")
    if not files:
        print("no sources: a check of nothing proves nothing")
        return 1
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Exposes every value of real models and has ONNX Runtime judge the result.

  judge.py --tool BIN FOLDER          every *.onnx below the folder
  judge.py --tool BIN --models full   models of manifest.tsv that are in the cache (default or full)

For each model, with `--all`, `--all --include-constants` and `--all --deep`:
  - `strip` gives back the original, byte for byte,
  - the debug model loads wherever the original does, also with strict shape inference, and passes the ONNX checker
    (full) if the original does and every type is known,
  - the original outputs come first, declared as before, and are bit-equal with optimisations disabled and one thread
    (fp16 models within a tolerance: the CPU provider rounds differently around an output),
  - what the added outputs declare is what they are.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import sys
import time
from pathlib import Path

import fetch_models
from feeds import read_manifest
from judged import judge


def collect(options):
    if options.models:
        rows = [row for row in read_manifest() if options.models == "full" or row["set"] == "default"]
        paths = [fetch_models.MODELS / f"{row['id']}.onnx" for row in rows]
        root = fetch_models.MODELS
    else:
        root = options.folder
        paths = sorted(root.rglob("*.onnx"))
    named = {str(path.relative_to(root).with_suffix("")).removesuffix("/model"): path for path in paths}
    chosen = [(name, path) for name, path in named.items() if re.search(options.filter, name) and path.exists()]
    missing = [name for name, path in named.items() if not path.exists()]
    # The largest first: no process is left alone with one at the end.
    return sorted(chosen, key=lambda item: -item[1].stat().st_size), missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help="the onnx-expose binary")
    parser.add_argument("--models", choices=["default", "full"], help="of manifest.tsv, in the cache")
    parser.add_argument("--filter", default="", metavar="RE", help="only models whose name this matches (searched)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("-v", "--verbose", action="store_true", help="say of every model what was seen")
    parser.add_argument("folder", nargs="?", type=Path)
    options = parser.parse_args()
    if bool(options.folder) == bool(options.models):
        parser.error("either FOLDER or --models")

    start = time.monotonic()
    models, missing = collect(options)
    failed = 0
    seen = collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        jobs = {pool.submit(judge, os.path.abspath(options.tool), path): name for name, path in models}
        for job in concurrent.futures.as_completed(jobs):
            try:
                result = job.result()
            except concurrent.futures.process.BrokenProcessPool:
                left = [jobs[other] for other in jobs if not other.done() or other.exception()]
                print(f"FAIL a process died; no judgement on: {', '.join(left)}")
                failed += len(left)
                break
            seen.update(result.seen)
            failed += bool(result.problems)
            if result.problems:
                print(f"FAIL {jobs[job]}: " + "; ".join(result.problems))
            elif options.verbose:
                notes = [f"{count} {what}" for what, count in result.seen.items()] + result.notes
                print(f"ok   {jobs[job]}: {', '.join(notes)}")
            sys.stdout.flush()
    if missing:
        print(f"not in the cache: {', '.join(missing)}")
    for what, count in sorted(seen.items()):
        print(f"{count:8d} {what}")
    print(f"{time.monotonic() - start:8.1f} s")
    print(f"{len(models) - failed} passed, {failed} failed")
    return 1 if failed or not models else 0


if __name__ == "__main__":
    sys.exit(main())

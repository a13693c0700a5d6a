"""What the judges of models share: which models, in parallel, one line for each that fails, a sum at the end."""

import argparse
import concurrent.futures
import os
import re
import sys
import time
import zlib
from collections import Counter
from pathlib import Path

import fetch_models
from feeds import read_manifest


def parser(description):
    result = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--tool", required=True, type=os.path.abspath, help="the onnx-expose binary")
    result.add_argument("--models", choices=["default", "full"], help="of manifest.tsv, in the cache")
    result.add_argument("--filter", default="", metavar="RE", help="only models whose name this matches (searched)")
    result.add_argument("--sample", type=int, default=1, metavar="N", help="every Nth model only, by a hash of its name")
    result.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    result.add_argument("-v", "--verbose", action="store_true", help="say of every model what was seen")
    result.add_argument("folder", nargs="?", type=Path)
    return result


def run(options, judge, *arguments):
    """Calls judge(tool, path, *arguments) for each model; what it returns is a Judged. The exit code."""
    start = time.monotonic()
    models, missing = collect(options)
    failed, seen = 0, Counter()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        jobs = {pool.submit(judge, options.tool, path, *arguments): name for name, path in models}
        for job in concurrent.futures.as_completed(jobs):
            try:
                result = job.result()
            except Exception as error:  # also that a process died: then of all jobs that were not done
                failed += 1
                print(f"FAIL {jobs[job]}: no judgement: {type(error).__name__}: {error}")
                continue
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


def collect(options):
    """The models as (name, path), and the names of those that are not there."""
    if bool(options.folder) == bool(options.models):
        sys.exit("error: either FOLDER or --models")
    if options.models:
        rows = [row for row in read_manifest() if options.models == "full" or row["set"] == "default"]
        root = fetch_models.MODELS
        paths = [root / f"{row['id']}.onnx" for row in rows]
    else:
        root = options.folder
        paths = sorted(root.rglob("*.onnx"))
    named = {str(path.relative_to(root).with_suffix("")).removesuffix("/model"): path for path in paths}
    chosen = [
        (name, path)
        for name, path in named.items()
        if re.search(options.filter, name) and zlib.crc32(name.encode()) % options.sample == 0 and path.exists()
    ]
    missing = [name for name, path in named.items() if not path.exists()]
    # The largest first: no process is left alone with one at the end.
    return sorted(chosen, key=lambda item: -item[1].stat().st_size), missing

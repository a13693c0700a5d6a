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

import sys

import judging
from judged import judge

if __name__ == "__main__":
    sys.exit(judging.run(judging.parser(__doc__).parse_args(), judge))

#!/bin/bash
# From a bare machine to a debug model: installs what is missing, builds build/release/onnx-expose, fetches a real model
# exposes the outputs of its Conv nodes and runs it. Safe to repeat.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh

out=build/quickstart
step "system packages" install_packages "${build_packages[@]}"
# Without the tests, but where scripts/test.sh has been they stay.
if [ -e build/release/CMakeCache.txt ]; then build release; else build release -DONNX_EXPOSE_TESTS=OFF; fi
step "a real model: silero-vad, a speech detector, out of its Python package" python3 tests/real/fetch_models.py --id silero-seq
mkdir -p $out
cp "$step_output" $out/model.onnx
step "ONNX Runtime, in the cache" scripts/onnxruntime.sh
step "expose its Conv outputs" build/release/onnx-expose $out/model.onnx --ops Conv -f -o $out/debug.onnx

cat <<TEXT

$out/model.onnx is the original; $out/debug.onnx is the same model, with the output of each
Conv node as an additional graph output. It was made by

    build/release/onnx-expose $out/model.onnx --ops Conv -o $out/debug.onnx

TEXT
build/release/onnx-expose list $out/model.onnx --ops Conv
cat <<TEXT

Run with ONNX Runtime on random numbers, these values and the outputs it had before are

TEXT
build/release/onnx-expose run $out/model.onnx --ops Conv -q -f -o $out/dump
cat <<TEXT

and lie in $out/dump. How to go on:

    build/release/onnx-expose list MODEL.onnx                             what is in it
    build/release/onnx-expose MODEL.onnx --ops Conv,Gemm -o debug.onnx    expose values of your own model
    build/release/onnx-expose strip debug.onnx -o original.onnx           take them out again
    build/release/onnx-expose run MODEL.onnx --all -o DIR                 run it and save every value
    build/release/onnx-expose --help                                      all commands
    sudo cmake --install build/release                                    install it
TEXT

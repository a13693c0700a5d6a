#!/bin/bash
# Installs what is missing, builds and runs all tests. Safe to repeat.
#   scripts/test.sh          real models: the default set (60 MB of downloads the first time)
#   scripts/test.sh --full   all of tests/real/manifest.tsv (290 MB); reports in Chromium (its package: 124 MB); values of
#                            PyTorch, where the distribution has it (packages: 250 MB)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh

packages=("${build_packages[@]}" "${test_packages[@]}")
models=default
fetch_options=()
case "${1-}" in
  "") ;;
  --full)
    models=full
    fetch_options=(--full)
    packages+=(chromium)
    command -v npm >/dev/null || packages+=("${full_packages[@]}")
    ;;
  *)
    echo "usage: scripts/test.sh [--full]" >&2
    exit 2
    ;;
esac

step "system packages" install_packages "${packages[@]}"
step "Python environment of the tests, in the cache" scripts/python_env.sh
python=$step_output
browser_python=
torch_python=
if [ $models = full ]; then
  step "Python environment of the browser tests, in the cache" scripts/python_env.sh tests/browser/requirements.txt
  browser_python=$step_output
  if apt-cache show python3-torch >/dev/null 2>&1; then
    step "PyTorch of the distribution" install_packages python3-torch python3-onnx
    torch_python=/usr/bin/python3
  fi
fi
step "real models ($models), in the cache" python3 tests/real/fetch_models.py "${fetch_options[@]}"
step "ONNX's own test models, in the cache" python3 tests/real/fetch_models.py --node
node_models=$step_output
step "ONNX Runtime, in the cache" scripts/onnxruntime.sh
runtime=$step_output
build release -DONNX_EXPOSE_TESTS=ON "-DONNX_EXPOSE_TEST_PYTHON=$python" "-DONNX_EXPOSE_NODE_MODELS=$node_models" \
  -DONNX_EXPOSE_REAL_MODELS=$models "-DONNX_EXPOSE_TEST_RUNTIME=$runtime" \
  "-DONNX_EXPOSE_BROWSER_PYTHON=$browser_python" "-DONNX_EXPOSE_TORCH_PYTHON=$torch_python"
ctest --test-dir build/release --output-on-failure --no-tests=error -j "$(nproc)"

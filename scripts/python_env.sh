#!/bin/bash
# Prints the Python of a virtual environment that has the packages of tests/requirements.txt, or of the file given; makes
# it if need be.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/onnx-expose
requirements=${1:-$root/tests/requirements.txt}
key=$({ cat "$requirements"; python3 --version; } | sha256sum | cut -c1-16)
venv=$cache/python-$key
mkdir -p "$cache"
exec 9>"$cache/python.lock"
flock 9
if [ ! -e "$venv/complete" ]; then  # not moved into place when done: a virtual environment holds its own path
  rm -rf "$venv"
  python3 -m venv "$venv" >&2
  "$venv/bin/python" -m pip --disable-pip-version-check install --quiet --only-binary :all: --require-hashes \
    -r "$requirements" >&2
  touch "$venv/complete"
fi
echo "$venv/bin/python"

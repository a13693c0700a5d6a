#!/bin/bash
# Fetches the library of ONNX Runtime into the user's cache, where onnx-expose looks for it, and prints its path (the only
# line on stdout). Safe to repeat.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/onnx-expose
requirements=$root/third_party/onnxruntime/requirements.txt
version=$(sed -n 's/^onnxruntime==\([0-9.]*\).*/\1/p' "$requirements")
folder=$cache/onnxruntime-$version
library=$folder/libonnxruntime.so.$version

if [ ! -e "$library" ]; then
  mkdir -p "$cache"
  exec 9>"$cache/onnxruntime.lock"
  flock 9
fi
if [ ! -e "$library" ]; then
  work=$(mktemp -d "$cache/onnxruntime-fetch.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  "$root/third_party/pip.sh" download --quiet --no-deps --only-binary :all: --require-hashes -r "$requirements" \
    --python-version 3.11 --implementation cp --abi cp311 --platform "manylinux_2_28_$(uname -m)" -d "$work" >&2
  python3 - "$work"/onnxruntime-*.whl "$work" "libonnxruntime.so.$version" <<'PYTHON'
import pathlib
import sys
import zipfile

wheel, folder, name = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    pathlib.Path(folder, name).write_bytes(archive.read(f"onnxruntime/capi/{name}"))
    pathlib.Path(folder, "LICENSE").write_bytes(archive.read("onnxruntime/LICENSE"))
PYTHON
  mkdir -p "$folder"
  mv "$work/LICENSE" "$folder/"
  mv "$work/libonnxruntime.so.$version" "$library"
fi
echo "$library"

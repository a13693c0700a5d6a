#!/bin/bash
# Prints a folder with uPlot (uPlot.iife.min.js, uPlot.min.css; the only line on stdout), fetched once into the user's
# cache: from npm's package where npm is there, else out of a Python wheel that carries the same two files. Debian 12's
# own npm would bring 400 packages. Either way the files must have these hashes.
set -euo pipefail

version=1.6.31
js_sha256=2d27e8ad3d228164525ce213f9dc716f39b4e3aee0cc773fb3491c96cf4921a2
css_sha256=df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/onnx-expose
folder=$cache/uplot-$version-${js_sha256:0:8}

from_npm() {
  command -v npm >/dev/null && (cd "$work" && timeout 60 npm pack --silent "uplot@$version") >/dev/null 2>&1 &&
    tar xzf "$work/uplot-$version.tgz" -C "$work" --strip-components=2 package/dist/uPlot.iife.min.js \
      package/dist/uPlot.min.css
}

from_wheel() {
  "$here/../pip.sh" download --quiet --no-deps --only-binary :all: --require-hashes -r "$here/requirements.txt" \
    -d "$work" >&2
  python3 - "$work"/youplot-*.whl "$work" <<'PYTHON'
import pathlib
import sys
import zipfile

wheel, folder = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for name in ("uPlot.iife.min.js", "uPlot.min.css"):
        pathlib.Path(folder, name).write_bytes(archive.read("youplot/vendor/" + name.lower()))
PYTHON
}

if [ ! -d "$folder" ]; then
  mkdir -p "$cache"
  exec 9>"$cache/uplot.lock"
  flock 9
fi
if [ ! -d "$folder" ]; then
  work=$(mktemp -d "$cache/uplot.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  from_npm || from_wheel
  printf '%s  %s\n' $js_sha256 "$work/uPlot.iife.min.js" $css_sha256 "$work/uPlot.min.css" |
    sha256sum --check --quiet >&2
  mkdir "$work/uplot"
  mv "$work/uPlot.iife.min.js" "$work/uPlot.min.css" "$work/uplot/"
  mv "$work/uplot" "$folder"
fi
echo "$folder"

#!/bin/bash
# Builds the pinned ONNX C++ library once and prints the prefix it is installed in (the only line on stdout).
#
# The prefix lies in the user's cache, outside of every build tree: debug, release and sanitizer builds share it, and a
# second build needs no network. Its key is made of everything that decides what comes out: this script, the pin,
# protoc, the protobuf library and the compiler.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/onnx-expose
cxx=${CXX:-c++}
protoc=${PROTOC:-protoc}
version=$(sed -n 's/^onnx==\([0-9.]*\).*/\1/p' "$here/requirements.txt")

say() { echo "onnx $version: $*" >&2; }

for tool in cmake ninja python3 flock "$protoc" "$cxx"; do
  command -v "$tool" >/dev/null || { say "error: '$tool' not found"; exit 1; }
done

key=$({ cat "${BASH_SOURCE[0]}" "$here/requirements.txt"; "$protoc" --version; "$cxx" --version; uname -m; } |
  sha256sum | cut -c1-16)
prefix=$cache/onnx-$version-$key

if [ -d "$prefix" ]; then
  echo "$prefix"
  exit 0
fi

mkdir -p "$cache"
exec 9>"$cache/onnx.lock"
flock 9
if [ -d "$prefix" ]; then  # another process built it while we waited
  echo "$prefix"
  exit 0
fi

work=$(mktemp -d "$cache/onnx-build.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Only the one file named in requirements.txt, checked against its hash. (pip also fetches the build system that the
# package names, in order to look at its metadata; nothing of that is used here.)
say "fetching the source package"
"$here/../pip.sh" download --quiet --no-deps --no-binary onnx --require-hashes -r "$here/requirements.txt" \
  -d "$work/download" >&2
mkdir "$work/source"
tar xzf "$work/download/onnx-$version.tar.gz" -C "$work/source" --strip-components=1

# Debian 12 has CMake 3.25.1, line 2 asks for 3.26; nothing newer than 3.25 is used.
sed -i '2s/3\.26/3.25/' "$work/source/CMakeLists.txt"

say "building (about two minutes on two cores)"
log=$work/build.log
if ! {
  cmake -S "$work/source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
    -DONNX_BUILD_PYTHON=OFF -DONNX_ML=ON -DONNX_USE_PROTOBUF_SHARED_LIBS=ON -DONNX_USE_UNITY_BUILD=ON &&
    cmake --build "$work/build" &&
    DESTDIR="$work/stage" cmake --install "$work/build"
} >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  say "error: the build failed"
  exit 1
fi
cp "$work/source/LICENSE" "$work/stage$prefix/LICENSE"
find "$work/stage" -type d -empty -delete
mv "$work/stage$prefix" "$prefix"
say "installed in $prefix"
echo "$prefix"

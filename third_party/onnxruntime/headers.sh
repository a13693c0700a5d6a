#!/bin/bash
# Prints a folder with the headers of ONNX Runtime (the only line on stdout), fetched once into the user's cache from
# Debian's package libonnxruntime-dev. Only the headers: the library itself is found when the tool runs.
#
# The package is in Debian 13, which need not be the system's release: it is fetched with package lists of its own, from
# the mirror that the system uses. Nothing is installed.
set -euo pipefail

release=trixie
package=libonnxruntime-dev
version=1.21.0+dfsg-1
# The headers are the same for every architecture.
architecture=amd64
sha256=14f7d959d5deacbcf1504830d4189f91fc67382b399ed9ae9d3aa9c4050ced08

cache=${XDG_CACHE_HOME:-$HOME/.cache}/onnx-expose
folder=$cache/onnxruntime-headers-${version%%+*}-${sha256:0:8}
say() { echo "ONNX Runtime headers: $*" >&2; }

if [ ! -d "$folder" ]; then
  mkdir -p "$cache"
  exec 9>"$cache/onnxruntime-headers.lock"
  flock 9
fi
if [ ! -d "$folder" ]; then
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  command -v apt-get >/dev/null && [ -e $keyring ] || { say "needs apt-get and the package debian-archive-keyring"; exit 1; }
  mirror=$(apt-get indextargets --format '$(ORIGIN) $(SITE) $(RELEASE)' | awk '$1 == "Debian" && $3 !~ /security/ { print $2; exit }')
  [ -n "$mirror" ] || { say "no Debian mirror among the system's package sources"; exit 1; }

  work=$(mktemp -d "$cache/onnxruntime-headers.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/tree"
  echo "deb [signed-by=$keyring] $mirror $release main" >"$work/sources.list"
  apt=(apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root
    -o APT::Architecture=$architecture -o Acquire::Languages=none)
  say "fetching $package $version"
  "${apt[@]}" update >&2
  (cd "$work" && "${apt[@]}" download "$package=$version") >&2
  echo "$sha256  $(echo "$work"/*.deb)" | sha256sum --check --quiet >&2
  dpkg-deb -x "$work"/*.deb "$work/tree"
  mv "$work/tree/usr/include/onnxruntime" "$folder.partial.$$"
  cp "$work/tree/usr/share/doc/$package/copyright" "$folder.partial.$$/LICENSE"
  mv "$folder.partial.$$" "$folder"
fi
echo "$folder"

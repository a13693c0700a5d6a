# Common to the scripts here; sourced, not run. Expects `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/onnx-expose
log=$(mktemp "${TMPDIR:-/tmp}/onnx-expose.XXXXXX.log")
trap 'rm -f "$log"' EXIT

# What the build needs, and what the tests need besides: the same names in Debian 12 and Ubuntu 24.04.
build_packages=(ca-certificates cmake g++ libcli11-dev libdeflate-dev libevent-dev libfmt-dev libprotobuf-dev libre2-dev
  libssl-dev libstb-dev ninja-build nlohmann-json3-dev protobuf-compiler python3 python3-pip python3-venv zlib1g-dev)
test_packages=(debian-archive-keyring libgmock-dev libgtest-dev)
check_packages=(clang-14 clang-format-14 clang-tidy-14)
full_packages=(npm)

# step TEXT COMMAND...: runs it with its output in a log, and says what was done and how long it took in one line. The
# log is shown when the command fails. What the command prints on stdout is left in $step_output.
step() {
  local text=$1 start=$EPOCHREALTIME status=0
  shift
  [ -t 2 ] && printf '          %s ...\r' "$text" >&2
  step_output=$("$@" 2>"$log") || status=$?
  printf '%8.1f s  %s\n' "$(awk "BEGIN { print $EPOCHREALTIME - $start }")" "$text" >&2
  if [ "$status" -ne 0 ]; then
    { tail -n 40 "$log"; tail -n 40 <<<"$step_output"; echo "error: '$text' failed (exit $status): $*"; } >&2
    exit "$status"
  fi
}

# install_packages NAME...: what is missing of these, by apt-get. On other systems this is the user's business, and
# CMake says what it doesn't find.
install_packages() {
  command -v apt-get >/dev/null || { echo "no apt-get: please see to it that these are there: $*" >&2; return 0; }
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q ' installed$' || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "neither root nor sudo, and missing: ${missing[*]}" >&2; return 1; }
    as_root=(sudo)
  fi
  # The lock: unattended upgrades and the like are waited for.
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  "${apt[@]}" update >&2
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2
}

# build PRESET [CMAKE OPTION...]: configures, which builds the ONNX library if it isn't in the cache, and builds.
build() {
  local preset=$1
  shift
  step "configure $preset (the first time it builds the ONNX library: two minutes)" cmake -S "$root" --preset "$preset" "$@"
  step "build $preset" cmake --build "$root/build/$preset"
}

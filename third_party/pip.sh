#!/bin/bash
# pip, wherever it is to be had: the system's own, or one in a virtual environment in the cache. Nothing is ever
# installed into the system's Python (Debian 12 and Ubuntu 24.04 forbid it, and rightly).
set -euo pipefail
if python3 -m pip --version >/dev/null 2>&1; then
  exec python3 -m pip --disable-pip-version-check "$@"
fi
venv=${XDG_CACHE_HOME:-$HOME/.cache}/onnx-expose/pip-venv
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >&2
exec "$venv/bin/python" -m pip --disable-pip-version-check "$@"

#!/usr/bin/env bash
# Builds a LiveKit server and installs LiveKit Agents with the public plugins, for the tests of rooms and bench/livekit.ts:
# about five minutes of two cores, 930 MB. Needs Go 1.26 or later and Python 3.10 or later. Quick when it is done.
# Arguments: the parts, `server`, `node` and `python`; without any, all three.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
INTO="$PWD/.cache/livekit"
# The newest version whose module names no replacements, which `go install` refuses.
VERSION=v1.13.5

command -v go >/dev/null || { echo 'Go is needed to build a LiveKit server: https://go.dev/dl/' >&2; exit 1; }
mkdir -p "$INTO"
install_server() {
  [ "$(cat "$INTO/bin/version" 2>/dev/null || true)" = "$VERSION" ] && return
  GOBIN="$INTO/bin" CGO_ENABLED=0 go install -trimpath -ldflags '-s -w' "github.com/livekit/livekit-server/cmd/server@$VERSION"
  echo "$VERSION" >"$INTO/bin/version"
}
install_node() {
  cmp -s e2e/livekit/package.json "$INTO/package.json" && return
  cp e2e/livekit/package.json "$INTO/package.json.new"
  (cd "$INTO" && mv package.json.new package.json && npm install --no-audit --no-fund --ignore-scripts --loglevel=error) ||
    { rm -f "$INTO/package.json"; return 1; }
}
install_python() {
  cmp -s e2e/livekit/requirements.txt "$INTO/requirements.txt" && return
  rm -rf "$INTO/python"
  "${PARLEY_TEST_LIVEKIT_PYTHON:-python3}" -m venv "$INTO/python"
  "$INTO/python/bin/pip" install --quiet --disable-pip-version-check -r e2e/livekit/requirements.txt
  cp e2e/livekit/requirements.txt "$INTO/requirements.txt"
}

# Side by side: each waits for its registry most of the time. Without one of them, the others are of no use.
# Each is a process group: the compiler and npm end with it.
set -m
trap 'for part in $(jobs -p); do kill -- "-$part" 2>/dev/null || true; done' EXIT
[ $# -gt 0 ] || set -- server node python
for part in "$@"; do
  (set -e; "install_$part") &
done
for part in "$@"; do wait -n || exit 1; done

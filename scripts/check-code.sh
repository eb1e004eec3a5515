#!/usr/bin/env bash
# Format, types, style and import directions, with the programs of node_modules on the PATH. Two checks at a time: the type check
# of the services takes half of all, and waits for one core at its beginning and its end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

xargs -P 2 -I CHECK sh -c 'CHECK || { echo "✗ CHECK" >&2; exit 1; }' <<'CHECKS'
tsc --noEmit -p tsconfig.json
node scripts/check-imports.ts
tsc --noEmit -p web/tsconfig.json
tsc --noEmit -p clients/js/tsconfig.json
tsc --noEmit -p clients/react/tsconfig.json
tsc --noEmit -p meetings/page/tsconfig.json
oxlint
oxfmt --check
CHECKS

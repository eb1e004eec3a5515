#!/usr/bin/env bash
# Runs the tests that are in no other run, after what only they need. Arguments go to vitest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bash scripts/testing/python-tools.sh pipecat e2e/python/pipecat-requirements.txt
if command -v go >/dev/null; then bash scripts/install-livekit.sh; fi
failed=0
if [ $# = 0 ]; then
  # Each other run tries the same random values. Here, they are new ones.
  grep -rlE --include='*.test.ts' "from 'fast-check'" actors engine models control |
    xargs sh scripts/with-node.sh env PARLEY_TEST_NIGHTLY=on vitest run --project unit --project long ||
    failed=1
fi
sh scripts/with-node.sh env PARLEY_TEST_NIGHTLY=on vitest run --tags-filter nightly "$@" || failed=1
exit "$failed"

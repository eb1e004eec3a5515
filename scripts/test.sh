#!/usr/bin/env bash
# Installs what the tests need, then checks types and style and runs every test. Arguments go to vitest
# (`bash scripts/test.sh actors` runs one folder).
set -euo pipefail

PACKAGES='pocketsphinx-en-us libpocketsphinx3 libflite1 flite espeak-ng libespeak-ng1 chromium ffmpeg iproute2 iptables postgresql redis-server bzip2'
# What the tests of the Python client need.
PACKAGES="$PACKAGES python3-aiortc python3-aiohttp python3-av python3-numpy python3-pytest python3-pytest-asyncio python3-setuptools python3-wheel python3-build python3-venv mypy"
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

say 'Types'
tsc --noEmit -p tsconfig.json
tsc --noEmit -p web/tsconfig.json
tsc --noEmit -p clients/js/tsconfig.json
tsc --noEmit -p clients/react/tsconfig.json
say 'Style and import directions'
oxlint
node scripts/check-imports.ts
build_client
build_console
say 'Tests'
exec vitest run "$@"

#!/usr/bin/env bash
# Starts Parley: installs what is missing, builds the console, prints its address. Everything after the name is handed
# to the service (`bash scripts/start.sh --help`).
set -euo pipefail

# Speech recognition and synthesis that need no account, each in a process of its own.
PACKAGES='pocketsphinx-en-us libpocketsphinx3 libflite1 espeak-ng libespeak-ng1'
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

build_console
exec node --disable-warning=ExperimentalWarning scripts/parley.ts "$@"

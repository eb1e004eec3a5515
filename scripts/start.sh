#!/usr/bin/env bash
# Starts Parley: installs what is missing, builds the console, prints its address.
#   bash scripts/start.sh [--help]            everything else is set in the environment
#   PARLEY_MODELS=off bash scripts/start.sh   fetches no neural models behind the start
#   bash scripts/start.sh --models [NAME...]  fetches neural recognition and voices first (--models --help)
#   bash scripts/start.sh --meetings          installs Chromium first, which takes personas into web meetings;
#                                             --models may follow
set -euo pipefail

# Speech recognition and synthesis that need no account, each in a process of its own.
PACKAGES='pocketsphinx-en-us libpocketsphinx3 libflite1 espeak-ng libespeak-ng1'
if [ "${1:-}" = --meetings ]; then
  shift
  PACKAGES="$PACKAGES chromium"
  # Whoever asks for meetings is told when something else is missing for them.
  export PARLEY_MEETINGS="${PARLEY_MEETINGS:-on}"
fi
# Publishers pack models with bzip2.
[ "${1:-}" != --models ] || PACKAGES="$PACKAGES bzip2"
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
wait_for_debian

if [ "${1:-}" = --models ]; then
  shift
  for argument in "$@"; do
    case "$argument" in -h | --help) exec node scripts/models.ts --help ;; --list) exec node scripts/models.ts list ;; esac
  done
  node scripts/models.ts fetch "$@" || fail 'Not every model could be fetched; nothing was started.'
  set --
fi

# Neural models are fetched behind the start, from a registry of packages: it is not waited for.
export PARLEY_MODELS="${PARLEY_MODELS:-on}"
build_bundles
exec node --disable-warning=ExperimentalWarning scripts/parley.ts "$@"

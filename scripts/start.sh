#!/usr/bin/env bash
# Starts Parley: installs what is missing, builds the console, prints its address.
#   bash scripts/start.sh [--help]            everything else is set in the environment
#   bash scripts/start.sh --models [...]      fetches better local models first (--models --help)
set -euo pipefail

# Speech recognition and synthesis that need no account, each in a process of its own.
PACKAGES='pocketsphinx-en-us libpocketsphinx3 libflite1 espeak-ng libespeak-ng1'
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

if [ "${1:-}" = --models ]; then
  shift
  for argument in "$@"; do
    case "$argument" in -h | --help | --list) exec node scripts/fetch-models.ts "$@" ;; esac
  done
  settings="$(node scripts/fetch-models.ts "$@")" || fail 'Not every model could be fetched; nothing was started.'
  # One NAME=VALUE a line puts a fetched file to use. What the environment says stays.
  while IFS='=' read -r name value; do
    if [ -n "$name" ] && [ -z "${!name:-}" ]; then export "$name=$value"; fi
  done <<<"$settings"
  set --
fi

build_console
exec node --disable-warning=ExperimentalWarning scripts/parley.ts "$@"

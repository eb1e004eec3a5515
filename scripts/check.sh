#!/usr/bin/env bash
# What a contributor runs before each commit: format, style, import rules, types, unit tests. Installs Node packages only.
set -euo pipefail

PACKAGES=''
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
exec npm run --silent check

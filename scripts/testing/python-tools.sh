#!/usr/bin/env bash
# Installs packages of PyPI that tests use, unmodified, in an environment of their own: python-tools.sh FOLDER REQUIREMENTS
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# Not in `node_modules`, which npm removes meanwhile.
TOOLS=".cache/$1"
cmp -s "$2" "$TOOLS/requirements.txt" && exit 0
echo "Installing $(grep -v '^#' "$2" | tr '\n' ' ')for the tests"
rm -rf "$TOOLS"
/usr/bin/python3 -m venv "$TOOLS"
"$TOOLS/bin/pip" install --quiet --disable-pip-version-check -r "$2"
cp "$2" "$TOOLS/requirements.txt"

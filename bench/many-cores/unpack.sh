#!/usr/bin/env bash
# Puts what `pack.sh` has packed into a copy of the repository.
#   bash bench/many-cores/unpack.sh FOLDER REPOSITORY
set -euo pipefail
cat "${1:?the packed pieces}"/packed.* | xz --decompress --threads=0 | tar --extract --directory "${2:?the repository}"

#!/usr/bin/env bash
# Packs what `bench/many-cores.ts` needs on a machine without Node, packages or a network: Node itself, the packages of
# production with the builds for Linux on x64, flite, the built console, and faces that are drawn already. Takes minutes.
#   [XZ_LEVEL=6] bash bench/many-cores/pack.sh FOLDER [MB]     in pieces of at most so many MB (default: all in one)
# Then, on the other machine, beside a copy of the repository:
#   bash bench/many-cores/unpack.sh FOLDER REPOSITORY && bash REPOSITORY/bench/many-cores/on-bare-machine.sh --people 40,80
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder="$(realpath -m "${1:?where to?}")" piece="${2:-100000}"
mkdir -p "$folder"
list="$(mktemp)"
trap 'rm -f "$list"' EXIT
node bench/many-cores/files-to-pack.ts >"$list"
flite=()
for library in asound.so.2 flite.so.1 flite_usenglish.so.1 flite_cmulex.so.1 flite_cmu_{us_kal,us_kal16,us_awb,us_rms,us_slt,time_awb,indic_lang,indic_lex,grapheme_lang,grapheme_lex}.so.1; do
  flite+=("$(ldconfig -p | awk -v name="lib$library" '$1 == name && /x86-64/ && !found++ { print $NF }')")
done
rm -f "$folder"/packed.*
# Links are followed: of a library, the file is wanted.
tar --create --dereference --files-from "$list" --transform 's,^/.*/\(flite\|lib[^/]*\)$,bare/\1,;s,^/.*/parley-bench-avatars,bare/faces,' \
  --absolute-names "${flite[@]}" "$(command -v flite)" "${TMPDIR:-/tmp}/parley-bench-avatars" |
  xz "-${XZ_LEVEL:-6}" --threads=0 | split --bytes "${piece}M" - "$folder/packed."
ls -l "$folder"

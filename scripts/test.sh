#!/usr/bin/env bash
# Installs what the tests need, then checks format, types and style, and runs every test that is not one of the nightly ones.
# Arguments go to vitest (`bash scripts/test.sh actors` runs one folder).
set -euo pipefail

PACKAGES='pocketsphinx-en-us libpocketsphinx3 libflite1 flite espeak-ng libespeak-ng1 chromium chromium-headless-shell firefox-esr ffmpeg bzip2'
# Servers and networks that tests start for themselves.
PACKAGES="$PACKAGES iproute2 iptables libfaketime coturn haproxy janus janus-demos postgresql redis-server prometheus"
PACKAGES="$PACKAGES nginx-light caddy openssl ceph-mon ceph-osd radosgw ceph-common"
# What the tests of the Python client need.
PACKAGES="$PACKAGES python3-aiortc python3-aiohttp python3-av python3-numpy python3-pytest python3-pytest-asyncio"
PACKAGES="$PACKAGES python3-setuptools python3-wheel python3-build python3-venv mypy"
# What Node, the C++ runtime, the C library and Rust say before they end a process.
ABORT='FATAL ERROR|terminate called|Assertion .* failed|Check failed|Fatal error in|double free|corrupted|free\(\)|panicked at'
HAD_COTURN="$(command -v turnserver || true)"
HAD_HAPROXY="$(command -v haproxy || true)"
HAD_NGINX="$(command -v nginx || true)"
HAD_CADDY="$(command -v caddy || true)"
HAD_JANUS="$(command -v janus || true)"
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
# Programs of PyPI.
when_debian_is_there() { bash scripts/testing/python-tools.sh python-tools e2e/python/requirements.txt; }
# For the tests of rooms, beside the Node packages, which leave a core free. Only nightly ones need the plugin for Python.
LIVEKIT=
if command -v go >/dev/null; then
  bash "$(dirname "${BASH_SOURCE[0]}")/install-livekit.sh" server node &
  LIVEKIT=$!
fi
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

say 'Format, types, style and import directions, beside what is fetched'
bash scripts/check-code.sh &
CHECKS=$!

build_bundles
wait_for_debian
if [ -z "$LIVEKIT" ]; then
  say 'There is no Go to build a LiveKit server with: the tests of rooms are skipped'
fi
# Their packages start a TURN server, proxies and a meeting server that nobody asked for. The tests start their own.
if [ "$(id -u)" -eq 0 ] && command -v systemctl >/dev/null; then
  [ -n "$HAD_COTURN" ] || systemctl disable --now coturn >/dev/null 2>&1 || true
  [ -n "$HAD_HAPROXY" ] || systemctl disable --now haproxy >/dev/null 2>&1 || true
  [ -n "$HAD_NGINX" ] || systemctl disable --now nginx >/dev/null 2>&1 || true
  [ -n "$HAD_CADDY" ] || systemctl disable --now caddy >/dev/null 2>&1 || true
  [ -n "$HAD_JANUS" ] || systemctl disable --now janus >/dev/null 2>&1 || true
fi
wait "$CHECKS"
[ -z "$LIVEKIT" ] || wait "$LIVEKIT" || say 'LiveKit could not be installed: the tests of rooms are skipped'
say 'Tests'
ERRORS="$(mktemp)"
STATUS=0
vitest run "$@" 2> >(tee "$ERRORS" >&2) || STATUS=$?
# Vitest only says that a worker is gone. Why, stands somewhere in thousands of lines.
if [ "$STATUS" -ne 0 ] && grep -qaE "$ABORT" "$ERRORS"; then
  say 'What a process said that aborted'
  grep -aE -A 30 "$ABORT" "$ERRORS" | tail -n 90
fi
rm -f "$ERRORS"
exit "$STATUS"

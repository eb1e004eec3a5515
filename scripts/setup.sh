# Sourced by start.sh and test.sh: installs what is missing and puts Node 24 on the PATH. Quick when nothing is missing.
# Sets: ROOT. Takes: PACKAGES, the Debian packages that the caller needs; if there is one, the function `when_debian_is_there`
# goes on with what needs them. Both are installed beside the Node packages: the caller waits with `wait_for_debian`.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"

say() { printf '\033[2m▸ %s\033[0m\n' "$*"; }
fail() { printf '\033[31m✗ %s\033[0m\n' "$*" >&2; exit 1; }

command -v node >/dev/null && command -v npm >/dev/null ||
  fail 'Node and npm are needed (Node 20 or later): apt-get install nodejs npm, or https://nodejs.org'

# Sets: MISSING, and SUDO for what installs them.
find_missing_debian_packages() {
  MISSING=() SUDO=''
  command -v dpkg-query >/dev/null || { say "Not a Debian system: make sure these are installed: $*"; return; }
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || MISSING+=("$package")
  done
  [ ${#MISSING[@]} -gt 0 ] && [ "$(id -u)" -ne 0 ] || return 0
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then SUDO='sudo'; else
    fail "These Debian packages are missing. Install them and start again:  sudo apt-get install ${MISSING[*]}"
  fi
}

install_missing_debian_packages() {
  [ ${#MISSING[@]} -gt 0 ] || return 0
  say "Installing Debian packages: ${MISSING[*]}"
  local log; log="$(mktemp)"
  { $SUDO apt-get update -qq && DEBIAN_FRONTEND=noninteractive $SUDO apt-get install -y -qq --no-install-recommends "${MISSING[@]}"; } \
    >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "apt-get failed; its whole output is in $log"; }
  rm -f "$log"
}

install_node_packages() {
  local stamp="node_modules/.installed-for" wanted
  wanted="$(cat package-lock.json .npmrc | sha256sum | cut -d' ' -f1)"
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return
  say 'Installing Node packages (about a minute the first time)'
  local log; log="$(mktemp)"
  npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error >"$log" 2>&1 ||
    { tail -n 30 "$log" >&2; fail "npm ci failed; its whole output is in $log"; }
  rm -f "$log"
  echo "$wanted" >"$stamp"
}

find_missing_debian_packages $PACKAGES
{
  install_missing_debian_packages
  if declare -F when_debian_is_there >/dev/null; then when_debian_is_there; fi
} &
DEBIAN=$!
wait_for_debian() { wait "$DEBIAN" || exit 1; }

install_node_packages
source "$ROOT/scripts/environment.sh"
source "$ROOT/scripts/build-bundles.sh"

# Sourced by start.sh and test.sh: installs what is missing and puts Node 24 on the PATH. Quick when nothing is missing.
# Sets: ROOT. Takes: PACKAGES, the Debian packages that the caller needs; if there is one, the function `fetch_meanwhile` begins
# what can be fetched beside the Node packages.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"

say() { printf '\033[2m▸ %s\033[0m\n' "$*"; }
fail() { printf '\033[31m✗ %s\033[0m\n' "$*" >&2; exit 1; }

command -v node >/dev/null && command -v npm >/dev/null ||
  fail 'Node and npm are needed (Node 20 or later): apt-get install nodejs npm, or https://nodejs.org'

install_debian_packages() {
  command -v dpkg-query >/dev/null || { say "Not a Debian system: make sure these are installed: $*"; return; }
  local missing=()
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local sudo=''
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo='sudo'; else
      fail "These Debian packages are missing. Install them and start again:  sudo apt-get install ${missing[*]}"
    fi
  fi
  say "Installing Debian packages: ${missing[*]}"
  local log; log="$(mktemp)"
  { $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "apt-get failed; its whole output is in $log"; }
  rm -f "$log"
}

install_node_packages() {
  local stamp="node_modules/.installed-for" wanted
  wanted="$(cat package-lock.json .npmrc | sha256sum | cut -d' ' -f1)"
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return
  say 'Installing Node packages (about a minute the first time)'
  local log; log="$(mktemp)"
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >"$log" 2>&1 &&
    (cd node_modules/node && { [ -x bin/node ] || node installArchSpecificPackage.js; }) >>"$log" 2>&1 ||
    { tail -n 30 "$log" >&2; fail "npm ci failed; its whole output is in $log"; }
  rm -f "$log"
  echo "$wanted" >"$stamp"
}

install_debian_packages $PACKAGES
if declare -F fetch_meanwhile >/dev/null; then fetch_meanwhile; fi
install_node_packages
source "$ROOT/scripts/environment.sh"
source "$ROOT/scripts/build-bundles.sh"

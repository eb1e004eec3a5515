# Sourced, with ROOT as working directory, the programs of node_modules on the PATH, and `say`: what browsers load.

# Whether the file FIRST is missing, or older than a source below the folders after it.
outdated() {
  local built="$1"
  shift
  [ ! -f "$built" ] || [ -n "$(find "$@" package-lock.json -name dist -prune -o -newer "$built" -type f -print -quit)" ]
}

build_bundles() {
  # With what programs install, which contains the scripts for pages.
  if outdated clients/dist/parley-client.tgz clients; then
    say 'Building the clients'
    node scripts/pack-clients.ts
  fi
  if outdated web/widget/dist/widget.js web clients/js; then
    say 'Building the console and the widget'
    vite build web --logLevel error
    vite build web/widget --logLevel error
    node scripts/compress-built.ts web/dist web/widget/dist
  fi
  # What goes into the pages of meetings.
  if outdated meetings/page/dist/page.js meetings/page engine/net engine/face/disclosure-text.ts; then
    say 'Building the script for meeting pages'
    vite build meetings/page --logLevel error
  fi
}

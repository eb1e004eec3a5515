# Sourced, with ROOT set: the Node 24 of node_modules and what every program of Parley runs with.

export PATH="$ROOT/node_modules/.bin:$PATH"

# Node keeps what it compiled of each module: a start takes 3 instead of 4 s, a new thread 0.15 instead of 0.35.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$ROOT/node_modules/.cache/node}"

# How large the young part of a heap may become, in MB, of two halves. V8 would take 64 on a machine with 24 GB, of which an idle
# service kept 128 MB and needed 2. With 4 instead of 16, a service with 20 conversations took 60 MB
# less, but its frames came later (p99 14 and 23 ms). With 8, they come as early as with 16 (12 to 19, 13 to 25).
export NODE_OPTIONS="--max-semi-space-size=8${NODE_OPTIONS:+ $NODE_OPTIONS}"

# onnxruntime reports usage to its vendor unless told not to before it is loaded.
export ORT_DISABLE_TELEMETRY=1

node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)' 2>/dev/null || {
  echo "Parley needs Node 24, and node_modules does not contain it (found $(node -v 2>/dev/null || echo none)). Install it:" >&2
  echo "  rm -rf node_modules && bash scripts/start.sh" >&2
  exit 1
}

#!/usr/bin/env bash
# Inside of the image's first stage, in the folder of Parley: builds client, console and widget, then removes what the
# service does not need to run. The packages of a checkout take 1.7 GB, this leaves some 600 MB.
set -euo pipefail
export PATH="$PWD/node_modules/.bin:$PATH"

say() { echo "$*"; }
source scripts/build-bundles.sh
build_bundles

npm prune --omit=dev --ignore-scripts --no-audit --no-fund
rm -rf node_modules/node-linux-*/{include,share}
strip node_modules/node-linux-*/bin/node

# Native programs of other systems and processors.
arch="$(node -p process.arch)"
find node_modules/onnxruntime-node/bin/napi-v* -mindepth 2 -maxdepth 2 ! -path "*/linux/$arch" -exec rm -rf {} +
find node_modules/better-sqlite3/prebuilds -mindepth 1 -maxdepth 1 ! -name "*linux-$arch*" -exec rm -rf {} + || true
rm -rf node_modules/better-sqlite3/deps
# TensorFlow's forms for browsers and bundlers.
find node_modules/@tensorflow/*/dist -maxdepth 1 -type f \( -name '*.fesm*.js' -o -name '*.es2017*.js' -o -name '*.min.js' \) -delete
rm -rf node_modules/@tensorflow/*/src node_modules/@vladmandic/face-api/demo node_modules/pdfjs-dist/{web,image_decoders}
find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -type f -delete

# Sources of what is built, tests and documents.
rm -rf e2e bench docs .git .ci .github .githooks deploy web/src web/widget/src clients/react clients/python
find actors clients control engine models runtime scripts service web -name '*.test.ts' -not -path '*/node_modules/*' -delete

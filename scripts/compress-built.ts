/**
 * Writes each text file of built folders once more as Brotli and gzip, beside it, for browsers that take them. Part of the
 * build: at the highest level, which takes too long for a request.
 *
 *   node scripts/compress-built.ts FOLDER…
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXTS = /\.(?:js|mjs|css|html|svg|md)$/;
/** Below that, headers weigh more than the content, bytes. */
const LEAST = 1_024;

for (const folder of process.argv.slice(2))
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!TEXTS.test(name) || statSync(path).size < LEAST) continue;
    const content = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
  }

/**
 * Builds engine/face/rendering/warp.wasm from warp.as. Run it after a change of warp.as; the binary is committed, so
 * that running Parley needs no compiler, and a test checks it against a plain JavaScript version of the same
 * arithmetic. npm fetches the compiler (110 MB) for this run alone.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMPILER = 'assemblyscript@0.28.20';

const rendering = fileURLToPath(new URL('../engine/face/rendering/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'parley-warp-'));
try {
  // The compiler reads only this ending, and the checks of the repository would take it for TypeScript.
  copyFileSync(join(rendering, 'warp.as'), join(folder, 'warp.ts'));
  const compiler = ['exec', '--yes', `--package=${COMPILER}`, '--', 'asc'];
  const code = ['-O3', '--enable', 'simd', '--runtime', 'stub', '--noAssert', '--initialMemory', '1'];
  execFileSync('npm', [...compiler, 'warp.ts', '-o', join(rendering, 'warp.wasm'), ...code], {
    cwd: folder,
    stdio: 'inherit',
  });
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Builds engine/face/rendering/warp.wasm from warp.as. Run it after a change of warp.as; the binary is committed, so
 * that running Parley needs no compiler, and a test checks it against a plain JavaScript version of the same
 * arithmetic.
 */
import { readFile, writeFile } from 'node:fs/promises';

interface Compiler {
  main(
    args: readonly string[],
    files: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly error: Error | null; readonly stderr: { toString(): string } }>;
}
// Imported without its types: they redefine globals such as `console` for the whole project.
const { main } = (await import('assemblyscript/asc' as string)) as Compiler;

const folder = new URL('../engine/face/rendering/', import.meta.url);
const source = await readFile(new URL('warp.as', folder), 'utf8');
const { error, stderr } = await main(
  ['warp.ts', '-o', 'warp.wasm', '-O3', '--enable', 'simd', '--runtime', 'stub', '--noAssert', '--initialMemory', '1'],
  {
    readFile: (name: string) => (name === 'warp.ts' ? source : null),
    writeFile: (name: string, content: string | Uint8Array) => writeFile(new URL(name, folder), content),
    listFiles: () => [],
  },
);
if (error) {
  console.error(stderr.toString());
  process.exitCode = 1;
}

import { join } from 'node:path';
import type { Rollup } from 'vite';

const FOLDER = join(import.meta.dirname, '../../clients/js');

let built: Promise<string> | undefined;

/**
 * Builds `@parley/client` as a script for pages, once for this process and not into `clients/js/dist`: services of other
 * test files serve what stands there. @returns the script.
 */
export function browserClient(): Promise<string> {
  built ??= (async () => {
    // Only here: most files need no more than the public client.
    const { build } = await import('vite');
    const outputs = (await build({
      root: FOLDER,
      logLevel: 'error',
      build: { write: false },
    })) as Rollup.RollupOutput[];
    const script = outputs.flatMap(({ output }) => output).find(({ fileName }) => fileName === 'client.js');
    if (script?.type !== 'chunk') throw new Error('The build has no client.js.');
    return script.code;
  })();
  return built;
}

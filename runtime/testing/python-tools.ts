import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Made by `scripts/test.sh` of `e2e/python/requirements.txt`. */
const FOLDER = new URL('../../node_modules/.cache/python-tools/', import.meta.url).pathname;

/** @returns the path of a program of these packages, or null where they are not installed. */
export function pythonTool(name: 'python' | 'schemathesis'): string | null {
  const path = join(FOLDER, 'bin', name);
  return existsSync(path) ? path : null;
}

import { join } from 'node:path';
import { build } from 'vite';

const FOLDER = join(import.meta.dirname, '../../clients/js');

let built: Promise<string> | undefined;

/** Builds `@parley/client` as a script for pages, once. @returns its path. */
export function browserClient(): Promise<string> {
  built ??= build({ root: FOLDER, logLevel: 'error' }).then(() => join(FOLDER, 'dist/client.js'));
  return built;
}

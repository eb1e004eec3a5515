/** Writes `docs/reference/` from the schemas: `npm run docs`. A test checks that it was done. */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { referenceDocs } from './docs/reference-docs.ts';

const folder = fileURLToPath(new URL('../docs/reference/', import.meta.url));
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await referenceDocs())) await writeFile(folder + name, text);

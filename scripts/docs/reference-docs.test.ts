import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { referenceDocs } from './reference-docs.ts';

it('the reference in docs/ is what the code says (npm run docs)', async () => {
  for (const [name, text] of Object.entries(await referenceDocs())) {
    expect(readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8'), name).toBe(text);
  }
});

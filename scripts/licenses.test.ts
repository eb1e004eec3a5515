import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** A package is published without the folders around it. */
it.each(['clients/js', 'clients/react', 'clients/python'])('%s carries the license of the repository', (folder) => {
  expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'));
});

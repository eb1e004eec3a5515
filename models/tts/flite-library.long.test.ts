import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FLITE_VOICES } from './flite-voices.ts';

it('a voice stays loaded however often the collector comes by', () => {
  const script = fileURLToPath(new URL('testing/flite-after-collection.ts', import.meta.url));
  const spoken = execFileSync(process.execPath, [script], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  expect(spoken.map(([voice]) => voice)).toEqual([...FLITE_VOICES]);
  for (const [, samples] of spoken) expect(Number(samples)).toBeGreaterThan(5_000);
});

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** `docs/reference/behavior.md` promises where each behavior is and which test proves it: so both have to exist. */
const folder = resolve(import.meta.dirname, '../docs/reference');
const rows = readFileSync(resolve(folder, 'behavior.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Behavior'))
  .map((line) => line.split(' | '));

test('the table has its rows', () => {
  expect(rows.length).toBeGreaterThan(100);
});

describe.each(rows.map(([behavior = '', rule = '', proof = '']) => ({ behavior: behavior.slice(2), rule, proof })))(
  '$behavior',
  ({ rule, proof }) => {
    test('names files that exist', () => {
      const links = [...`${rule}${proof}`.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? '');
      expect(links.length).toBeGreaterThan(1);
      for (const link of links) expect(existsSync(resolve(folder, link)), link).toBe(true);
    });

    test('names tests that exist', () => {
      const proofs = [...proof.matchAll(/\]\(([^)]+)\): “([^”]+)”/g)];
      expect(proofs.length).toBeGreaterThan(0);
      for (const [, link = '', name = ''] of proofs) {
        const source = readFileSync(resolve(folder, link), 'utf8').replaceAll("\\'", "'");
        expect(source.includes(name), `${link}: ${name}`).toBe(true);
      }
    });
  },
);

import { expect, test } from 'vitest';
import { HELD_OUT, TUNING } from './inventory.ts';
import { playScript } from './play-script.ts';
import { scriptsOf, type ActKind } from './script.ts';

test('the halves share no sentence, save the empty ones of coughs', () => {
  const words = (inventory: typeof TUNING) => new Set(Object.values(inventory).flat().filter((text) => text !== ''));
  expect([...words(TUNING)].filter((text) => words(HELD_OUT).has(text))).toEqual([]);
});

test.each(['tuning', 'held-out'] as const)('the %s half has at least thirty of each event', (half) => {
  const acts = scriptsOf(half).flatMap((script) => script.acts);
  for (const kind of ['turn', 'interruption', 'backchannel', 'tic', 'side-talk', 'noise'] satisfies ActKind[]) expect(acts.filter((act) => act.kind === kind).length).toBeGreaterThanOrEqual(30);
  expect(acts.filter((act) => act.text.includes('|')).length).toBeGreaterThanOrEqual(30);
});

test('the same script gives the same conversation', () => {
  const script = scriptsOf('tuning').find((candidate) => candidate.name === 'interruption-3');
  if (script === undefined) throw new Error('no such script');
  expect(playScript(script)).toEqual(playScript(script));
});

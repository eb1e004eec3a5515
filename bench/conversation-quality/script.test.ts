import { expect, test } from 'vitest';
import { FRESH, HELD_OUT, TUNING } from './inventory.ts';
import { playScript } from './play-script.ts';
import { scriptsOf, SETS, type ActKind } from './script.ts';

test('the sets share no sentence, save the empty ones of coughs', () => {
  const all = [TUNING, HELD_OUT, FRESH].flatMap(({ turns, pausedTurns, interruptions, sideTalk }) => [
    ...turns,
    ...pausedTurns,
    ...interruptions,
    ...sideTalk,
  ]);
  expect(all.filter((text, at) => all.indexOf(text) !== at)).toEqual([]);
});

test.each(SETS)('the %s set has at least thirty of each event', (set) => {
  const acts = scriptsOf(set).flatMap((script) => script.acts);
  for (const kind of ['turn', 'interruption', 'backchannel', 'tic', 'side-talk', 'noise'] satisfies ActKind[])
    expect(acts.filter((act) => act.kind === kind).length).toBeGreaterThanOrEqual(30);
  expect(acts.filter((act) => act.text.includes('|')).length).toBeGreaterThanOrEqual(30);
});

test('the same script gives the same conversation', () => {
  const script = scriptsOf('tuning').find((candidate) => candidate.name === 'interruption-3');
  if (script === undefined) throw new Error('no such script');
  expect(playScript(script)).toEqual(playScript(script));
});

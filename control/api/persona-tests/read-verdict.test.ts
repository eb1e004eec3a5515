import { expect, it } from 'vitest';
import { readVerdict } from './read-verdict.ts';

it.each([
  ['PASS: It names the time.', true, 'It names the time.'],
  ['**FAIL** – the time is missing.', false, 'the time is missing.'],
  ['FAILED: no time', false, 'no time'],
  ['The persona says nine.\n\nPASS: It is the same.', true, 'It is the same.'],
  ['This does not PASS the criterion, I think.\nFAIL: It says ten.', false, 'It says ten.'],
  ['I compared both answers. Verdict: **PASS**', true, 'I compared both answers. Verdict: **PASS**'],
  ['{"verdict": "FAIL", "why": "ten"}', false, '"why": "ten'],
  ['It would clearly PASS here.', true, 'It would clearly PASS here.'],
])('reads %j', (answer, passed, why) => {
  expect(readVerdict(answer)).toEqual({ passed, why });
});

it.each(['', 'I would pass this on to a colleague.', 'PASS or FAIL depends on it.', 'PASS: a\nFAIL: b'])(
  'finds none in %j',
  (answer) => {
    expect(readVerdict(answer)).toBeNull();
  },
);

/** 50,000 characters of them held the thread that paces everybody's sound for 1.8 s, twice as many four times as long. */
it('reads lines of marks in one pass', () => {
  const before = process.cpuUsage();
  for (const marks of ['*\n', '> \n', 'PASS: **', 'verdict: ']) readVerdict(`${marks.repeat(40_000 / marks.length)}x`);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(500);
});

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
  ['<think>PASS or FAIL? FAIL? No.</think>PASS: yes', true, 'yes'],
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

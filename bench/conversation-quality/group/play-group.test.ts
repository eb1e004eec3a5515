import { expect, it } from 'vitest';
import { answered, beginsOverVoices, isRecognizable, rowNames } from './measures.ts';
import { playGroup } from './play-group.ts';

const meetings = [1, 2, 3].map(playGroup);

it('the same seed gives the same meeting', () => {
  expect(playGroup(1)).toEqual(meetings[0]);
  expect(playGroup(2)).not.toEqual(meetings[0]);
});

it('what names the persona is answered, and its measures count it', () => {
  const { good, of } = answered(meetings, isRecognizable);
  expect(of).toBeGreaterThan(0);
  expect(good).toBe(of);
  expect(beginsOverVoices(meetings)).toBe(0);
  expect(rowNames(meetings)).toContain('right');
});

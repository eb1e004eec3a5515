import { expect, it } from 'vitest';
import { SpeakingDetector } from './speaking.ts';

const LOUD = 0.05;
const QUIET = 0.001;

it('begins with the first loud frame, and lasts over the pauses between words', () => {
  const speech = new SpeakingDetector();
  expect(speech.heard(QUIET, 0)).toBeNull();
  expect(speech.heard(LOUD, 50)).toBe(true);
  expect(speech.heard(QUIET, 100)).toBeNull();
  expect(speech.heard(QUIET, 300)).toBeNull();
  expect(speech.heard(LOUD, 340)).toBeNull();
  expect(speech.heard(QUIET, 630)).toBeNull();
  expect(speech.heard(QUIET, 640)).toBe(false);
  expect(speech.speaking).toBe(false);
});

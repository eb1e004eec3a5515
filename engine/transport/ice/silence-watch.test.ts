import { expect, it } from 'vitest';
import { SILENCE_LIMIT_MS, SilenceWatch } from './silence-watch.ts';

it('does not call a client quiet that has not come yet', () => {
  const watch = new SilenceWatch();
  expect(watch.check(1e9)).toBeNull();
  expect(watch.heardAt).toBeNull();
});

it('tells of a silence once, and of its end with its length', () => {
  const watch = new SilenceWatch();
  expect(watch.heard(1_000)).toBeNull();
  expect(watch.check(1_000 + SILENCE_LIMIT_MS)).toBeNull();
  expect(watch.check(1_001 + SILENCE_LIMIT_MS)).toEqual({ kind: 'quiet' });
  expect(watch.check(9_000)).toBeNull();
  expect(watch.heard(9_500)).toEqual({ kind: 'flowing', quietMs: 8_500 });
  expect(watch.heard(9_600)).toBeNull();
  expect(watch.isQuiet).toBe(false);
});

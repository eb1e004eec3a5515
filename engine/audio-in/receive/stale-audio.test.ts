import { describe, expect, test } from 'vitest';
import { MAX_WAIT_MS, isStale } from './stale-audio.ts';

const READY = 1_000;

describe('sound that waits for its turn', () => {
  test('is heard after a stall', () => {
    expect(isStale(READY, READY, READY + MAX_WAIT_MS)).toBe(false);
  });

  test('is left out when the thread is too far behind', () => {
    expect(isStale(READY, READY, READY + MAX_WAIT_MS + 1)).toBe(true);
  });

  test('is heard however long the models took to load', () => {
    expect(isStale(READY - 1, READY, READY + 10 * MAX_WAIT_MS)).toBe(false);
  });
});

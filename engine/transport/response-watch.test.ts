import { describe, expect, it } from 'vitest';
import { ResponseWatch, type ResponseChange, type Responses } from './response-watch.ts';

const NOTHING: Responses = { reportedAt: null, unreportedSince: null, dataAt: null, unansweredSince: null };

function watching(): { at(now: number, responses: Partial<Responses>): ResponseChange | null; watch: ResponseWatch } {
  const watch = new ResponseWatch();
  watch.start();
  return { watch, at: (now, responses) => watch.check({ ...NOTHING, ...responses }, now) };
}

describe('a client does not answer', () => {
  it('when it has reported on none of its packets for longer than reports take', () => {
    const { at } = watching();
    expect(at(1_000, { reportedAt: 600, unreportedSince: 620 })).toBeNull();
    expect(at(1_040, { reportedAt: 600, unreportedSince: 620 })).toBe('unresponsive');
    expect(at(1_500, { reportedAt: 600, unreportedSince: 620 })).toBeNull();
    expect(at(1_600, { reportedAt: 1_590, unreportedSince: null })).toBe('responsive');
  });

  it('when it makes no reports and does not acknowledge a message', () => {
    const { at } = watching();
    expect(at(5_000, {})).toBeNull();
    expect(at(1_040, { dataAt: 100, unansweredSince: 620, unreportedSince: 0 })).toBe('unresponsive');
    expect(at(1_600, { dataAt: 1_590 })).toBe('responsive');
  });

  it('unless nothing was sent that it has to answer', () => {
    const { at } = watching();
    expect(at(60_000, { reportedAt: 600, dataAt: 100 })).toBeNull();
  });

  it('although its channel says something: only the way to it is broken', () => {
    const { at } = watching();
    expect(at(1_040, { reportedAt: 600, unreportedSince: 620 })).toBe('unresponsive');
    expect(at(1_100, { reportedAt: 600, unreportedSince: 620, dataAt: 1_090 })).toBeNull();
  });
});

it('a client that is heard and never answers again is not waited for', () => {
  const { at } = watching();
  const owes = { reportedAt: 600, unreportedSince: 620 };
  expect(at(1_040, owes)).toBe('unresponsive');
  expect(at(6_000, owes)).toBeNull();
  expect(at(6_100, owes)).toBe('responsive');
  expect(at(60_000, owes)).toBeNull();
  // It answers after all, and is expected to from then on.
  expect(at(60_100, { reportedAt: 60_090, unreportedSince: null })).toBeNull();
  expect(at(61_000, { reportedAt: 60_090, unreportedSince: 60_100 })).toBe('unresponsive');
});

it('nothing is expected of a client without a way to it', () => {
  const { at, watch } = watching();
  watch.stop();
  expect(at(9_000, { reportedAt: 600, unreportedSince: 620 })).toBeNull();
  watch.start();
  expect(at(9_020, { reportedAt: 600, unreportedSince: 9_000 })).toBeNull();
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Admission } from './admission.ts';
import type { Load } from './load.ts';

const GIB = 1024 ** 3;
const idle: Load = {
  othersCores: 0,
  busyCores: 0,
  waitedShare: 0,
  loopDelayMs: 1,
  framesLateMs: 5,
  freeMemoryBytes: 8 * GIB,
};

function admission(wanted: number | 'auto' = 'auto', cores = 2, sessionCores = 0.1): Admission {
  return new Admission({ cores, wanted, session: { cores: sessionCores, mainThread: sessionCores * 0.29 } });
}

describe('as many sessions are taken', () => {
  it('as the operator says', () => {
    const set = admission(3);
    expect(set.state(2)).toMatchObject({ places: 3, free: 1, refusal: null });
    expect(set.state(3)).toMatchObject({ places: 3, free: 0, refusal: 'limit of the operator' });
  });

  it('as can speak at the same time on three quarters of the cores', () => {
    const all = admission();
    all.take(idle);
    expect(all.state(14)).toMatchObject({ places: 15, free: 1, refusal: null });
    expect(all.state(15)).toMatchObject({ places: 15, free: 0, refusal: 'cores' });
  });

  it('as the main thread can pace, however many cores there are', () => {
    const large = admission('auto', 64, 0.1);
    large.take({ ...idle, freeMemoryBytes: 256 * GIB });
    expect(large.state(40).places).toBe(24);
    expect(large.state(40).refusal).toBe('main thread');
  });

  it('as the memory allows', () => {
    const small = admission();
    small.take({ ...idle, freeMemoryBytes: 0.35 * GIB });
    expect(small.state(4)).toMatchObject({ places: 6, refusal: null });
    small.take({ ...idle, freeMemoryBytes: 0.1 * GIB });
    expect(small.state(4).refusal).toBe('memory');
  });

  it('as other programs leave room for', () => {
    const shared = admission();
    for (let second = 0; second < 60; second++) shared.take({ ...idle, othersCores: 1, busyCores: 1 });
    expect(shared.state(0)).toMatchObject({ places: 5, placesAlone: 15 });
    // A short peak of others is no reason.
    const peak = admission();
    for (let second = 0; second < 60; second++) peak.take(idle);
    peak.take({ ...idle, othersCores: 1 });
    expect(peak.state(0).places).toBeGreaterThanOrEqual(13);
  });
});

/** Beside work that came and went, nearly all places were offered in each pause: 12 of 15. */
it('what other programs take again and again counts in their pauses, too, and not for long after their end', () => {
  const shared = admission();
  const second = (othersCores: number): number => {
    shared.take({ ...idle, othersCores, busyCores: othersCores });
    return shared.state(0).places;
  };
  const places = Array.from({ length: 120 }, (_, at) => second(at % 10 < 4 ? 1.2 : 0));
  // The cores leave 15 without them and 3 beside them.
  expect(Math.max(...places.slice(30))).toBeLessThanOrEqual(9);
  const later = Array.from({ length: 60 }, () => second(0));
  expect(later.at(-1)).toBeGreaterThanOrEqual(14);
});

describe('no session is taken', () => {
  it('while the cores are busy, even if there are places', () => {
    const busy = admission();
    for (let second = 0; second < 60; second++) busy.take({ ...idle, busyCores: 1.45 });
    expect(busy.state(5).refusal).toBe('busy now');
  });

  it('while the promise to the others is at risk, and until nothing is given up any more', () => {
    const strained = admission();
    const late = { ...idle, framesLateMs: 90 };
    strained.take(late);
    strained.take(late);
    expect(strained.state(5)).toMatchObject({ refusal: 'promise at risk', promise: 'at risk', shedding: 'loops' });
    for (let second = 0; second < 10; second++) strained.take(idle);
    expect(strained.state(5)).toMatchObject({ refusal: null, promise: 'kept', shedding: 'none' });
  });
});

it('takes the first session whatever happens', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          othersCores: fc.double({ min: 0, max: 64, noNaN: true }),
          busyCores: fc.double({ min: 0, max: 64, noNaN: true }),
          waitedShare: fc.double({ min: 0, max: 1, noNaN: true }),
          loopDelayMs: fc.double({ min: 0, max: 5_000, noNaN: true }),
          framesLateMs: fc.double({ min: 0, max: 5_000, noNaN: true }),
          freeMemoryBytes: fc.integer({ min: 0, max: 2 ** 40 }),
        }),
        { maxLength: 40 },
      ),
      fc.integer({ min: 1, max: 200 }),
      (loads, live) => {
        const any = admission();
        for (const load of loads) any.take(load);
        expect(any.state(0)).toMatchObject({ refusal: null, promise: 'kept', shedding: 'none' });
        expect(any.state(0).free).toBeGreaterThan(0);
        const { free, places, refusal } = any.state(live);
        expect(free).toBe(refusal === null ? places - live : 0);
        expect(free).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});

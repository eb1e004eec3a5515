import { describe, expect, it } from 'vitest';
import { OverloadDetector } from './overload-detector.ts';

const calm = { loopDelayMs: 1, framesLateMs: 5, waitedShare: 0 };
const busy = { ...calm, framesLateMs: 80 };
/** Neither calm nor at risk. */
const between = { ...calm, framesLateMs: 25 };

function after(...loads: (typeof calm)[]): OverloadDetector {
  const detector = new OverloadDetector();
  for (const load of loads) detector.take(load);
  return detector;
}
const seconds = (count: number, load: typeof calm) => Array.from({ length: count }, () => load);

describe('the promise', () => {
  it('is kept through one bad second', () => {
    expect(after(busy, calm, busy, calm)).toMatchObject({ state: 'calm', shedding: 'none' });
  });

  it.each([
    ['late frames', { framesLateMs: 31 }],
    ['a delayed event loop', { loopDelayMs: 16 }],
    ['a main thread that waits for a core', { waitedShare: 0.3 }],
  ])('is at risk after two seconds of %s', (_what, sign) => {
    expect(after({ ...calm, ...sign }, { ...calm, ...sign }).state).toBe('at risk');
  });

  it('is kept again after ten calm seconds, not before', () => {
    const detector = after(...seconds(2, busy), ...seconds(9, calm));
    expect(detector.state).toBe('at risk');
    detector.take(calm);
    expect(detector.state).toBe('calm');
  });

  it('is not kept again by seconds that are only not bad', () => {
    expect(after(...seconds(2, busy), ...seconds(60, between)).state).toBe('at risk');
  });
});

describe('faces', () => {
  it('give up one thing after the other, as long as it does not help', () => {
    const detector = after(...seconds(2, busy));
    expect(detector.shedding).toBe('loops');
    const seen = seconds(9, busy).map((load) => {
      detector.take(load);
      return detector.shedding;
    });
    expect(seen).toEqual(['loops', 'loops', 'listeners', 'listeners', 'listeners', 'all', 'all', 'all', 'all']);
  });

  it('give up nothing while all is on time, however long threads wait for a core', () => {
    const detector = after(...seconds(30, { ...calm, waitedShare: 0.5 }));
    expect(detector).toMatchObject({ state: 'at risk', shedding: 'none' });
  });

  it('keep what helps', () => {
    expect(after(...seconds(2, busy), ...seconds(60, between)).shedding).toBe('loops');
  });

  it('take back one thing at a time', () => {
    const detector = after(...seconds(20, busy), ...seconds(10, calm));
    expect(detector.shedding).toBe('listeners');
    for (const load of seconds(10, calm)) detector.take(load);
    expect(detector.shedding).toBe('loops');
    for (const load of seconds(10, calm)) detector.take(load);
    expect(detector.shedding).toBe('none');
  });
});

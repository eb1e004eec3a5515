import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { withTimeouts, type StreamTimeouts } from './stream-timeouts.ts';

/** A stream that gives one item and then nothing, whatever its signal says. */
async function* stuck(): AsyncGenerator<string> {
  yield 'first';
  await new Promise(() => {});
}

function limits(more: Partial<StreamTimeouts> = {}) {
  const timers = new SimulatedClock();
  const caller = new AbortController();
  const all: StreamTimeouts = {
    timers,
    signal: caller.signal,
    limitMs: (started) => (started ? 100 : 1_000),
    late: (started) => new Error(started ? 'late in the middle' : 'late at the start'),
    left: () => new Error('left'),
    ...more,
  };
  return { timers, caller, all };
}

it('a stream that hangs is ended with the error of its time limit, which its signal gets, too', async () => {
  const { timers, all } = limits();
  let given: AbortSignal | undefined;
  const items = withTimeouts((signal) => {
    given = signal;
    return stuck();
  }, all);
  expect((await items.next()).value).toBe('first');
  const next = items.next();
  timers.increment(99);
  expect(given?.aborted).toBe(false);
  timers.increment(1);
  await expect(next).rejects.toThrow('late in the middle');
  expect(given?.reason).toMatchObject({ message: 'late in the middle' });
});

it('a stream that ignores its signal is left at once', async () => {
  const { caller, all } = limits({ limitMs: () => null });
  const items = withTimeouts(stuck, all);
  await items.next();
  const next = items.next();
  caller.abort();
  await expect(next).rejects.toThrow('left');
});

it('the time that the reader takes does not count', async () => {
  const { timers, all } = limits();
  async function* two(): AsyncGenerator<string> {
    yield 'first';
    yield 'second';
  }
  const read: string[] = [];
  for await (const item of withTimeouts(two, all)) {
    timers.increment(10_000);
    read.push(item);
  }
  expect(read).toEqual(['first', 'second']);
});

it('a stream is not opened when the caller has left before', async () => {
  const { all } = limits({ signal: AbortSignal.abort() });
  const opened: string[] = [];
  const items = withTimeouts(() => {
    opened.push('opened');
    return stuck();
  }, all);
  await expect(items.next()).rejects.toThrow('left');
  expect(opened).toEqual([]);
});

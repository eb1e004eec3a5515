import { expect, it } from 'vitest';
import { Recovery } from './recovery.ts';

/** Timers that run when told to. */
function scene() {
  const pending = new Map<number, { run: () => void; at: number }>();
  let now = 0;
  let id = 0;
  const did: string[] = [];
  const recovery = new Recovery(
    { restart: (attempt) => did.push(`restart ${attempt}`), giveUp: () => did.push('give up') },
    {
      setTimeout: (run, ms) => {
        id += 1;
        pending.set(id, { run, at: now + ms });
        return id;
      },
      clearTimeout: (timer) => {
        pending.delete(timer as number);
      },
    },
  );
  const pass = (ms: number): void => {
    const end = now + ms;
    for (;;) {
      const next = [...pending.entries()].filter(([, { at }]) => at <= end).toSorted(([, a], [, b]) => a.at - b.at)[0];
      if (next === undefined) break;
      pending.delete(next[0]);
      now = next[1].at;
      next[1].run();
    }
    now = end;
  };
  return { recovery, did, pass };
}

it('lets a short gap heal by itself', () => {
  const { recovery, did, pass } = scene();
  recovery.connectionStateChanged('disconnected');
  pass(1_900);
  recovery.connectionStateChanged('connected');
  pass(60_000);
  expect(did).toEqual([]);
});

it('restarts after two seconds without connection, at once when it failed', () => {
  const first = scene();
  first.recovery.connectionStateChanged('disconnected');
  first.pass(2_000);
  expect(first.did).toEqual(['restart 1']);
  const second = scene();
  second.recovery.connectionStateChanged('failed');
  expect(second.did).toEqual(['restart 1']);
});

it('tries three times, then gives up', () => {
  const { recovery, did, pass } = scene();
  recovery.connectionStateChanged('failed');
  pass(60_000);
  expect(did).toEqual(['restart 1', 'restart 2', 'restart 3', 'give up']);
});

it('counts anew after a success', () => {
  const { recovery, did, pass } = scene();
  recovery.connectionStateChanged('failed');
  recovery.connectionStateChanged('connected');
  pass(60_000);
  recovery.connectionStateChanged('failed');
  expect(did).toEqual(['restart 1', 'restart 1']);
});

it('does nothing more once stopped', () => {
  const { recovery, did, pass } = scene();
  recovery.connectionStateChanged('disconnected');
  recovery.stop();
  pass(60_000);
  expect(did).toEqual([]);
});

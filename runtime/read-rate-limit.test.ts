import { expect, it } from 'vitest';
import { ReadRateLimit } from './read-rate-limit.ts';

function open() {
  const waits: { ms: number; run: () => void }[] = [];
  const clock = { at: 0 };
  const socket = {
    isPaused: false,
    pause: () => void (socket.isPaused = true),
    resume: () => void (socket.isPaused = false),
  };
  const pace = new ReadRateLimit(
    { messages: { atOnce: 3, perSecond: 10 }, bytes: { atOnce: 1_000, perSecond: 100 } },
    {
      now: () => clock.at,
      setTimeout: (run, ms) => waits.push({ ms, run }),
      clearTimeout: () => void waits.splice(0),
    },
  );
  return { waits, clock, socket, pace };
}

it('reads on when nothing is owed any more', () => {
  const { waits, socket, pace } = open();
  for (let message = 0; message < 3; message += 1) pace.note(socket, 1);
  expect(socket.isPaused).toBe(false);
  pace.note(socket, 1);
  expect(socket.isPaused).toBe(true);
  expect(waits).toMatchObject([{ ms: 100 }]);
  waits[0]!.run();
  expect(socket.isPaused).toBe(false);
});

it('counts bytes as well as messages, and what comes while it is paused', () => {
  const { waits, clock, socket, pace } = open();
  pace.note(socket, 1_500);
  expect(waits).toMatchObject([{ ms: 5_000 }]);
  pace.note(socket, 500);
  waits[0]!.run();
  clock.at = 5_000;
  pace.note(socket, 1);
  expect(waits[1]!.ms).toBeCloseTo(5_010);
});

it('does not read on after its end', () => {
  const { waits, socket, pace } = open();
  pace.note(socket, 1_500);
  pace.end();
  expect(waits).toEqual([]);
});

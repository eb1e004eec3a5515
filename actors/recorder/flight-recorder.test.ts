import { expect, test } from 'vitest';
import { testConfig } from '../testing/session-config.ts';
import { FlightRecorder } from './flight-recorder.ts';
import { decodeLog } from './session-log.ts';

const MEGABYTE = 1024 * 1024;

/** A recorder of a session that began at 0, and what it wrote. */
function recorded() {
  const lines: string[] = [];
  let full = 0;
  const recorder = new FlightRecorder(
    {
      software: 'test',
      startedAt: '2026-01-01T00:00:00.000Z',
      idSeed: 'seed',
      endOfTurnModelAvailable: false,
      config: testConfig(),
    },
    (line) => lines.push(line),
    () => (full += 1),
  );
  return { recorder, log: () => lines.join(''), timesFull: () => full };
}

test('a client that sends without end cannot fill the disk: the log ends, once and for all, and can be read', () => {
  const { recorder, log, timesFull } = recorded();
  const content = 'x'.repeat(32 * 1024);
  for (let at = 0; at < 2_000; at += 1) {
    recorder.event({ at, event: { type: 'client.text', content } });
    recorder.command({ type: 'speech.duck' });
  }
  expect(log().length).toBeLessThan(9 * MEGABYTE);
  expect(timesFull()).toBe(1);
  const { entries } = decodeLog(log());
  // Nothing was left out before the end.
  const times = entries.filter((entry) => entry.kind === 'event').map(({ at }) => at);
  expect(times).toEqual(times.map((_, index) => index));
  const before = log();
  recorder.event({ at: 9_999, event: { type: 'peer.quiet' } });
  expect(log()).toBe(before);
});

test('a day of listening fits, whatever the client was allowed to send', () => {
  const { recorder, log, timesFull } = recorded();
  for (let at = 0; at < 1_000_000; at += 1)
    recorder.event({ at, event: { type: 'vad.window', probability: 0.123, levelDb: -41.5, endsAt: at } });
  expect(timesFull()).toBe(0);
  expect(log().length).toBeGreaterThan(20 * MEGABYTE);
});

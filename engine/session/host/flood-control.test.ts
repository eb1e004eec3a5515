import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { createFloodControl, type InboundKind } from './flood-control.ts';

function session() {
  const clock = { now: 0 };
  const warnings: string[] = [];
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const flood = createFloodControl({ sessionId: 's', now: () => clock.now, log, warn: (text) => warnings.push(text) });
  /** @returns how many of this many messages, sent at once, were accepted. */
  const send = (count: number, kind: InboundKind, bytes = 20): number =>
    Array.from({ length: count }, () => flood.admits(kind, bytes)).filter(Boolean).length;
  return { flood, send, clock, warnings, logged };
}

describe('what a client sends', () => {
  it.each([
    ['a text every second for an hour', 'speech', 3600, 1_000, 200],
    ['the longest text every twenty seconds', 'speech', 20, 20_000, 32 * 1024],
    ['the tokens of its own LLM, 200 a second, for a minute', 'talkstream', 12_000, 5, 5],
    ['ten results of tools every two seconds', 'tool_result', 100, 200, 1024],
    ['a cue every half second', 'director_note_cue', 200, 500, 60],
    ['an offer every four seconds, as in a bad network', 'offer', 30, 4_000, 8 * 1024],
    ['a report on its network every five seconds', 'data channel', 700, 5_000, 4_000],
  ] as const)('is all taken when it is %s', (_, kind, count, everyMs, bytes) => {
    const { flood, clock, warnings } = session();
    for (let i = 0; i < count; i += 1) {
      expect(flood.admits(kind, bytes)).toBe(true);
      clock.now += everyMs;
    }
    expect(warnings).toEqual([]);
  });

  it('is taken in a burst after the connection was down', () => {
    const { send } = session();
    expect(send(150, 'icecandidate')).toBe(150);
    expect(send(4_000, 'talkstream', 6)).toBe(4_000);
  });

  it('is dropped in a flood, by number and by size, and taken again afterwards', () => {
    const { send, clock } = session();
    expect(send(10_000, 'interrupt')).toBe(20);
    expect(send(2_000, 'speech', 32 * 1024)).toBe(8);
    clock.now += 60_000;
    expect(send(10_000, 'interrupt')).toBe(20);
    expect(send(2_000, 'speech', 32 * 1024)).toBe(3);
  });

  it('of one kind leaves the others their room', () => {
    const { send } = session();
    send(10_000, 'context', 32 * 1024);
    expect(send(1, 'speech')).toBe(1);
  });

  it('is never more than some megabytes of text in an hour', () => {
    const { flood, clock } = session();
    let taken = 0;
    // A new burst every second, of the largest messages.
    for (let second = 0; second < 3600; second += 1) {
      for (const kind of ['speech', 'context', 'persona_config'] as const) {
        for (let i = 0; i < 10; i += 1) if (flood.admits(kind, 32 * 1024)) taken += 32 * 1024;
      }
      clock.now += 1_000;
    }
    expect(taken).toBeLessThan(40 * 1024 * 1024);
  });

  it('is spoken of once when it is dropped, to the client and in the log, and counted at the end', () => {
    const { flood, send, warnings, logged } = session();
    send(1_000, 'interrupt');
    send(1_000, 'interrupt');
    expect(warnings).toEqual(['Too many messages (interrupt): some are ignored.']);
    flood.close();
    expect(logged.map(({ msg, kind, dropped }) => ({ msg, kind, dropped }))).toEqual([
      { msg: 'a client sends too much: what is over the limit is dropped', kind: 'interrupt', dropped: undefined },
      { msg: 'messages of a client were dropped', kind: undefined, dropped: { interrupt: 1_980 } },
    ]);
  });
});

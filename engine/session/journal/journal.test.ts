import { expect, it } from 'vitest';
import { seededIds } from '../../../actors/kernel/seeded-ids.ts';
import { SteppingClock } from '../../../actors/kernel/stepping-clock.ts';
import { SimulatedSession } from '../../../actors/testing/simulated-session.ts';
import { testConfig } from '../../../actors/testing/session-config.ts';
import type { ConnectionState } from '../../transport/connection-state.ts';
import { SessionRestoreError, type RestorableSession } from './journal.ts';
import { headOf, writeHead, type JournalHead } from './journal-head.ts';
import { writeJournal } from './journal-writer.ts';
import { JournalReplay, type ReplayedSession } from '../restore/replay-journal.ts';

const STREAM = { ssrc: 1, sequence: 1, timestamp: 1, packets: 1, octets: 1 };
const CONNECTION: ConnectionState = {
  client: { fingerprint: 'sha-256 AB', channelId: 1, connected: true },
  sessionNumber: '1',
  streamId: 'stream',
  answers: 1,
  sender: {
    cname: 'name',
    video: STREAM,
    audio: STREAM,
    rtx: { ssrc: 2, sequence: 1 },
    pictureId: 1,
    transportSequence: 1,
  },
  arrived: 0,
  sent: 0,
  flowing: true,
};
const head: JournalHead = {
  config: testConfig(),
  idSeed: 'a seed',
  startedAt: Date.UTC(2026, 0, 1),
  endOfTurnModelAvailable: false,
  head: 'of the control plane',
};
const sessionId = head.config.sessionId;

/** A journal that remembers what was written, in order. */
function journal() {
  const entries: string[] = [];
  const states: string[] = [];
  const order: string[] = [];
  return {
    entries,
    states,
    order,
    append: (entry: string) => void (entries.push(entry), order.push('entry')),
    state: (state: string) => void (states.push(state), order.push('state')),
    flush: async () => {},
    close: () => void order.push('closed'),
    leave: async () => void order.push('left'),
  };
}

/** @param parts the entries come in so many. */
async function replayJournal(past: RestorableSession, parts = 1): Promise<ReplayedSession> {
  const replay = new JournalReplay(headOf(past), { perform() {}, record() {} });
  for (let part = 1; part <= parts; part += 1)
    await replay.read(past.entries.slice(0, Math.ceil((past.entries.length * part) / parts)));
  return replay.finish(past);
}

/** A session of some seconds, written as the host writes it. */
function written(seconds: number) {
  const kept = journal();
  const session = new SimulatedSession({ ids: seededIds(head.idSeed) }).connect();
  const writer = writeJournal({
    journal: kept,
    head: writeHead(head),
    now: () => session.clock.now(),
    connection: () => ({ ...CONNECTION, sent: session.performed('message.send').length }),
    timers: new SteppingClock(),
  });
  session.type('hello').wait(seconds * 1_000);
  for (const recorded of session.recorded) writer.event(recorded);
  return { kept, session, writer };
}

it('has few entries: windows together, and everything else at once', () => {
  const { kept, session } = written(10);
  const windows = session.recorded.filter(({ event }) => event.type === 'vad.window').length;
  expect(kept.entries.length).toBeLessThan(windows / 2);
  expect(headOf({ sessionId, entries: kept.entries }).head).toBe('of the control plane');
});

/**
 * The process of a call died a quarter of a second after its start. The public client came back, and never got a message
 * again: nobody knew of its channel.
 */
it('stores at once what a connection is at when its keys or its channel are new', async () => {
  const { kept, writer } = written(0);
  await Promise.resolve();
  const news = [
    { type: 'offer.received', kind: 'first' },
    { type: 'peer.connected', kind: 'first' },
    { type: 'channel.opened' },
  ] as const;
  for (const event of news) {
    const before = kept.states.length;
    writer.event({ at: 10, event });
    await Promise.resolve();
    expect(kept.states).toHaveLength(before + 1);
  }
});

it('stores everything before the state, and nothing after it was left', async () => {
  const { kept, session, writer } = written(3);
  writer.messageSent();
  await Promise.resolve();
  expect(kept.order.at(-1)).toBe('state');
  await writer.leave();
  const all = kept.order.length;
  expect(kept.order.slice(-2)).toEqual(['state', 'left']);
  writer.event(session.recorded.at(-1)!);
  writer.messageSent();
  await Promise.resolve();
  writer.close();
  expect(kept.order).toHaveLength(all);
});

it.each([1, 3])('leads to the same session, with what its client has not got (read in %s parts)', async (parts) => {
  const { kept, session, writer } = written(3);
  await writer.leave();
  const messages = session.performed('message.send').length;
  const past = { sessionId, entries: kept.entries, state: kept.states.at(-1)!, ageMs: 2_000 };
  const whole = await replayJournal(past, parts);
  expect(whole.outstanding.messages).toBe(messages);
  expect(whole.connection).toMatchObject({ waiting: [], arrived: messages });
  const state = { at: session.clock.now(), connection: { ...CONNECTION, sent: messages, flowing: false } };
  const away = await replayJournal({ ...past, state: JSON.stringify(state) }, parts);
  expect(away.connection?.waiting).toHaveLength(messages);
  expect(away.connection?.arrived).toBe(0);
});

it.each([
  ['is empty', []],
  ['is of another session', [writeHead({ ...head, config: testConfig({ sessionId: 'another' }) })]],
  ['is of another version', [writeHead(head).replace('"version":1', '"version":2')]],
  ['is damaged', [writeHead(head), '[[1,']],
  ['has something else in it', [writeHead(head), '["text"]']],
])('cannot be used when it %s', async (_, entries) => {
  const past = { sessionId, entries, state: null, ageMs: null };
  await expect(replayJournal(past)).rejects.toThrow(SessionRestoreError);
});

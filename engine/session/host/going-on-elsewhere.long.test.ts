import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionReportEntry } from '../../../actors/report.ts';
import { decodeLog } from '../../../actors/recorder/session-log.ts';
import { replay } from '../../../actors/session/replay.ts';
import { createFakeLlm } from '../../../models/fakes/index.ts';
import { SessionRestoreError, type RestorableSession } from '../journal/journal.ts';
import { AvatarUnavailableError } from '../../ports.ts';
import { eventually } from '../../testing/eventually.ts';
import { TestJournals } from '../testing/test-journals.ts';
import { openLiveEngine, type LiveClient, type LiveEngine, type ReceivedMessage } from '../testing/live-engine.ts';

const STORY =
  'Once upon a time there was a very small boat on that wide river. Nobody had ever asked it where the way would lead. So one morning it left without saying anything.';

async function open(...options: Parameters<typeof openLiveEngine>): Promise<LiveEngine> {
  const live = await openLiveEngine(...options);
  onTestFinished(() => live.close());
  return live;
}

const llm = () => createFakeLlm({ answers: [[{ type: 'text', text: STORY }]] });

const ofPersona = (messages: readonly ReceivedMessage[]): ReceivedMessage['data'][] =>
  messages
    .filter(({ messageType, data }) => messageType === 'speechText' && data['role'] === 'persona')
    .map(({ data }) => data);

const told = (entries: readonly SessionReportEntry[]): string[] =>
  entries.flatMap((entry) => (entry.kind === 'message' ? [`${entry.message.role}: ${entry.message.text}`] : []));

const linesOf = (logged: readonly string[]): number => logged.join('').split('\n').length - 1;

async function inMidSentence(journals: TestJournals): Promise<{ before: LiveEngine; client: LiveClient }> {
  const before = await open({ llm: llm(), journals });
  const client = await before.connect();
  client.say('Tell me a story.');
  await eventually(() => expect(ofPersona(client.messages).length).toBeGreaterThanOrEqual(2));
  return { before, client };
}

async function expectToGoOn(
  journals: TestJournals,
  before: LiveEngine,
  client: LiveClient,
  /** What the next engine has read before, and whether it has the face. */
  { ahead, face }: { ahead?: RestorableSession; face?: { isThere: boolean } } = {},
): Promise<LiveEngine> {
  const after = await open({
    llm: llm(),
    journals,
    ...(face !== undefined && { face }),
    past: {
      session: journals.past(before.sessionId),
      loggedLines: linesOf(before.logged),
      ...(ahead !== undefined && { ahead }),
    },
  });
  expect(after.sessionId).toBe(before.sessionId);
  const again = await after.connect();
  await eventually(() => expect(ofPersona(again.messages).at(-1)).toMatchObject({ end_of_speech: true }));
  const chunks = [...ofPersona(client.messages), ...ofPersona(again.messages)];
  expect(chunks.map((chunk) => chunk['content_index'])).toEqual(chunks.map((_, index) => index));
  expect(chunks.map((chunk) => chunk['content']).join('')).toBe(STORY);
  expect(chunks.filter((chunk) => chunk['end_of_speech'] === true)).toMatchObject([{ interrupted: false }]);
  expect(told(before.entries)).toEqual(['user: Tell me a story.']);
  // The first one may have died before it was stored.
  expect(told(after.entries)).toEqual(['user: Tell me a story.', `persona: ${STORY}`]);
  again.say('Thank you.');
  await eventually(() => expect(told(after.entries)).toContain('user: Thank you.'));

  after.engine.stopSession(after.sessionId, 'stopped_by_api');
  await eventually(() => expect(journals.sessionIds).toEqual([]));
  const whole = replay(decodeLog([...before.logged, ...after.logged].join('')));
  expect(whole.difference).toBeNull();
  expect(whole.decisions.at(-1)?.command.type).toBe('session.close');
  const ends = [...before.entries, ...after.entries].filter(({ kind }) => kind === 'end');
  expect(ends).toHaveLength(1);
  return after;
}

describe('a session goes on in another engine, in mid-sentence,', () => {
  it('after its own has handed it over', async () => {
    const journals = new TestJournals();
    const { before, client } = await inMidSentence(journals);
    expect(await before.engine.handOver(before.sessionId)).toBe(true);
    expect(before.engine.isLive(before.sessionId)).toBe(false);
    expect(client.signals).not.toContain('endsession');
    await expectToGoOn(journals, before, client);
  });

  it('after its own has handed it over to one that expected it', async () => {
    const journals = new TestJournals();
    const { before, client } = await inMidSentence(journals);
    const ahead = journals.past(before.sessionId);
    const heard = ofPersona(client.messages).length;
    await eventually(() => expect(ofPersona(client.messages).length).toBeGreaterThan(heard));
    await before.engine.handOver(before.sessionId);
    expect(journals.past(before.sessionId).entries.length).toBeGreaterThan(ahead.entries.length);
    await expectToGoOn(journals, before, client, { ahead });
  });

  it('after its own has vanished', async () => {
    const journals = new TestJournals();
    const { before, client } = await inMidSentence(journals);
    before.engine.sessionTakenOver(before.sessionId);
    await expectToGoOn(journals, before, client);
  });
});

// Its sentence was being cut when its engine died. The next one cuts it at once, so the session was over before its
// engine had noted that it lives, and occupied a place until the engine was started again.
it('a session that was ending is over where it goes on', async () => {
  const journals = new TestJournals();
  const { before } = await inMidSentence(journals);
  const { sessionId } = before;
  const { promise: atEnd, resolve } = Promise.withResolvers<RestorableSession>();
  journals.beforeClose = (past) => resolve(past);
  before.engine.stopSession(sessionId, 'stopped_by_api');
  const { entries, ...past } = await atEnd;
  const stop = entries.findLastIndex((entry) => entry.includes('service.stop'));
  const after = await open({
    llm: llm(),
    journals,
    past: { session: { ...past, entries: entries.slice(0, stop + 1) }, loggedLines: linesOf(before.logged) },
  });
  await eventually(() => expect(after.entries.map(({ kind }) => kind)).toContain('end'));
  expect(after.engine.isLive(sessionId)).toBe(false);
});

const warningsOf = (entries: readonly SessionReportEntry[]): string[] =>
  entries.flatMap((entry) => (entry.kind === 'warning' ? [entry.code] : []));

it('a session goes on by its voice, with a warning, where its face cannot be had', async () => {
  const journals = new TestJournals();
  const { before, client } = await inMidSentence(journals);
  before.engine.sessionTakenOver(before.sessionId);
  const after = await expectToGoOn(journals, before, client, { face: { isThere: false } });
  expect(warningsOf(after.entries)).toContain('face_unavailable');
});

it('an engine that cannot have the face expects no session of it, and begins none', async () => {
  const journals = new TestJournals();
  const { before } = await inMidSentence(journals);
  const face = { isThere: true };
  const other = await open({ llm: llm(), face, config: { sessionId: 'another' } });
  face.isThere = false;
  await expect(other.engine.expect(journals.past(before.sessionId))).rejects.toThrow(AvatarUnavailableError);
  other.engine.stopSession(other.sessionId, 'stopped_by_api');
  await expect(open({ llm: llm(), face })).rejects.toThrow(AvatarUnavailableError);
});

// A process that took more than 10 s for it began the session in the end, while another one had it.
it('a session that another process gets does not begin in the one that still reads its past', async () => {
  const journals = new TestJournals();
  const { before } = await inMidSentence(journals);
  const late = await open({ llm: llm(), config: { sessionId: 'another' } });
  const resources = { llm: llm(), knowledge: { search: async () => [] } };
  const taking = late.engine.takeOver(journals.past(before.sessionId), resources);
  late.engine.sessionTakenOver(before.sessionId);
  await expect(taking).rejects.toThrow(SessionRestoreError);
  expect(late.engine.isLive(before.sessionId)).toBe(false);
});

it('a session without a journal is not handed over', async () => {
  const live = await open({ llm: llm() });
  expect(await live.engine.handOver(live.sessionId)).toBe(false);
  expect(live.engine.isLive(live.sessionId)).toBe(true);
});

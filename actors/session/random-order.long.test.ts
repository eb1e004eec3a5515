import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../events.ts';
import { violations } from '../testing/invariants.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';
import { clientTool, systemTool, webhookTool } from '../testing/session-config.ts';
import type { FakeAnswer } from '../testing/fake-engine.ts';

/** What may happen in a session, in any order and at any time. */
type Step =
  | { readonly kind: 'speak'; readonly text: string; readonly ms: number; readonly partials: boolean }
  | { readonly kind: 'cough'; readonly ms: number }
  | { readonly kind: 'event'; readonly event: SessionEvent }
  /** The client stopped to answer so long ago; by now that is certain, or not yet. */
  | { readonly kind: 'outage'; readonly sinceMs: number; readonly noticed: boolean }
  | { readonly kind: 'toolResult'; readonly nth: number; readonly error: boolean }
  /** The tool runner reports an outcome, perhaps for the second time. */
  | { readonly kind: 'toolOutcome'; readonly nth: number; readonly error: boolean }
  | { readonly kind: 'answer'; readonly answer: FakeAnswer };

const texts = [
  'yes',
  'mm-hm',
  'stop',
  'what about the other one',
  'I would like to',
  'um',
  'tell me a long story please',
  'Ada what do you think',
  'goodbye',
];
const tools = [
  'lookup',
  'book',
  'notify',
  'slow',
  'end_call',
  'skip_turn',
  'pause_conversation',
  'change_language',
  'interrupt',
  'unknown',
];

const answer: fc.Arbitrary<FakeAnswer> = fc.record({
  text: fc.constantFrom(
    '',
    'Sure.',
    'There are several things to say, and I will say them one after the other. First this. Then that!',
    '<think>hm</think>Well, yes.',
    '[happy] Of course I can do that for you.',
  ),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom(...tools),
      args: fc.constantFrom({}, { confirmed: true }, { language_code: 'de' }, { duration_seconds: 5 }),
    }),
    { maxLength: 3 },
  ),
  afterMs: fc.constantFrom(0, 50, 300, 2_000),
  fails: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 'unreachable'),
});

const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.constantFrom<SessionEvent>(
    { type: 'client.text', content: 'typed words' },
    { type: 'client.interrupt' },
    { type: 'client.context', content: 'a fact' },
    { type: 'client.talk', content: 'Say this now. And then this.' },
    {
      type: 'client.talkChunk',
      content: 'Streamed words. ',
      startOfSpeech: true,
      endOfSpeech: false,
      correlationId: 'a',
      utteranceId: null,
    },
    {
      type: 'client.talkChunk',
      content: 'Other words',
      startOfSpeech: true,
      endOfSpeech: true,
      correlationId: 'b',
      utteranceId: null,
    },
    {
      type: 'client.talkChunk',
      content: '',
      startOfSpeech: false,
      endOfSpeech: true,
      correlationId: 'a',
      utteranceId: null,
    },
    { type: 'client.cue', tag: 'happy', inSeconds: null, atSeconds: null, problem: null },
    { type: 'client.personaConfig', data: { voiceDetectionOptions: { endOfSpeechSensitivity: 1 } } },
    { type: 'client.personaConfig', data: { nonsense: true } },
    { type: 'peer.quiet' },
    { type: 'peer.flowing', quietMs: 4_000 },
    { type: 'peer.responsive' },
    { type: 'peer.connected', kind: 'replacement' },
    { type: 'peer.connected', kind: 'renewed' },
    { type: 'channel.opened' },
    { type: 'socket.closed', code: 1006, clean: false },
    { type: 'socket.closed', code: 1001, clean: true },
    { type: 'socket.opened' },
    { type: 'offer.received', kind: 'restart' },
    { type: 'stt.failed', message: 'gone' },
    { type: 'stt.final', text: 'out of nowhere', language: null },
    { type: 'stt.partial', text: '' },
    { type: 'enhancement.unavailable' },
    { type: 'stt.languageUnavailable', language: 'de' },
    { type: 'passthrough.started' },
    { type: 'passthrough.finished', interrupted: false },
    { type: 'speech.cut', segmentId: null, playedMs: 0 },
    { type: 'speech.failed', segmentId: 'nobody', message: 'no voice' },
    { type: 'llm.done', requestId: 'nobody' },
    { type: 'meeting.participants', participants: [] },
    { type: 'meeting.participants', participants: [{ id: 'a', name: 'Alice' }] },
    {
      type: 'meeting.participants',
      participants: [
        { id: 'a', name: 'Alice' },
        { id: 'b', name: '' },
      ],
    },
    { type: 'meeting.speaking', participantId: 'a', speaking: true },
    { type: 'meeting.speaking', participantId: 'a', speaking: false },
    { type: 'meeting.speaking', participantId: 'b', speaking: true },
    { type: 'meeting.speaking', participantId: 'nobody', speaking: false },
    { type: 'tool.succeeded', callId: 'nobody', output: '', result: null },
  ),
  fc.constantFrom<SessionEvent>(
    { type: 'service.stop', reason: 'stopped_by_api' },
    { type: 'peer.closed' },
    { type: 'client.hangUp' },
  ),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('speak' as const),
      text: fc.constantFrom(...texts),
      ms: fc.integer({ min: 100, max: 2_500 }),
      partials: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cough' as const), ms: fc.integer({ min: 40, max: 2_200 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('event' as const), event }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('outage' as const),
      sinceMs: fc.integer({ min: 0, max: 3_000 }),
      noticed: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('toolResult' as const), nth: fc.nat(3), error: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('toolOutcome' as const), nth: fc.nat(3), error: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer' as const), answer }) },
);

const script = fc.array(
  fc.record({ step, waitMs: fc.oneof(fc.constantFrom(0, 1, 33), fc.integer({ min: 0, max: 4_000 })) }),
  { minLength: 1, maxLength: 25 },
);

function run(
  steps: readonly { step: Step; waitMs: number }[],
  observe: (session: SimulatedSession) => void = () => {},
): SimulatedSession {
  const s = new SimulatedSession({
    config: {
      greeting: { skip: false, initialMessage: 'Hello, I am Ada.', uninterruptible: steps.length % 2 === 0 },
      // A third of them in a meeting.
      meeting: steps.length % 3 === 0 ? { displayName: 'Ada (AI)', groupCall: steps.length % 2 === 0 } : null,
      tools: [
        clientTool('lookup'),
        clientTool('notify', { awaitResult: false }),
        webhookTool('book', { disableInterruptions: true }),
        webhookTool('slow', { awaitResponse: false }),
        systemTool('end_call'),
        systemTool('skip_turn'),
        systemTool('pause_conversation'),
        systemTool('change_language'),
        systemTool('interrupt'),
      ],
    },
  }).connect();
  let next: FakeAnswer = { text: 'All right then.' };
  // Calls only in the first round, else most scripts would end in the tool limit.
  s.engine.answer = (question) => (question.messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : next);
  for (const { step: now, waitMs } of steps) {
    if (now.kind === 'speak') s.speak(now.text, now.ms, { partials: now.partials });
    else if (now.kind === 'cough') s.cough(now.ms);
    else if (now.kind === 'answer') next = now.answer;
    else if (now.kind === 'event') s.dispatch(now.event);
    else if (now.kind === 'outage')
      s.dispatch({
        type: now.noticed ? 'peer.quiet' : 'peer.unresponsive',
        arrivedUpTo: Math.max(0, s.clock.now() - now.sinceMs),
      });
    else {
      const call = s.messages('toolCallStarted')[now.nth];
      const callId = call?.data.tool_call_id;
      if (callId !== undefined && now.kind === 'toolResult')
        s.dispatch({
          type: 'client.toolResult',
          toolCallId: callId,
          result: 'fine',
          error: now.error ? 'broken' : null,
        });
      if (callId !== undefined && now.kind === 'toolOutcome')
        s.dispatch(
          now.error
            ? { type: 'tool.failed', callId, message: 'broken' }
            : { type: 'tool.succeeded', callId, output: 'fine', result: 'fine' },
        );
    }
    observe(s);
    s.wait(waitMs);
  }
  return s;
}

/** What the persona said, by message: as the client shows it, and as the transcript keeps it. */
function shown(s: SimulatedSession): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { message_id, content, role } of s.speechChunks())
    if (role === 'persona') texts.set(message_id, (texts.get(message_id) ?? '') + content);
  return new Map([...texts].map(([id, text]) => [id, text.trim()]));
}

function stored(s: SimulatedSession): Map<string, string> {
  return new Map(
    s
      .reports('message')
      .filter(({ message }) => message.role === 'persona')
      .map(({ message }) => [message.messageId, message.text]),
  );
}

describe('whatever happens, in whatever order', () => {
  it('messages, marks, tool events and the end keep their rules', () => {
    fc.assert(
      fc.property(script, (steps) => {
        const s = run(steps);
        s.dispatch({ type: 'service.stop', reason: 'stopped_by_api' });
        s.wait(600);
        expect(violations(s.commands)).toEqual([]);
        expect(stored(s)).toEqual(shown(s));
        expect(s.performed('session.close')).toHaveLength(1);
      }),
      { numRuns: 150 },
    );
  });

  it('the same events at the same times give the same commands', () => {
    fc.assert(
      fc.property(script, (steps) => {
        expect(run(steps).commands).toEqual(run(steps).commands);
      }),
      { numRuns: 25 },
    );
  });

  it('a session in any state closes within its bound, and says why', () => {
    fc.assert(
      fc.property(script, fc.nat(3_000), (steps, waitMs) => {
        const s = run(steps);
        s.wait(waitMs);
        const stoppedAt = s.clock.now();
        s.dispatch({ type: 'service.stop', reason: 'engine_shutdown' });
        s.wait(10_000);
        const close = s.commands.at(-1);
        expect(close?.command.type).toBe('session.close');
        expect((close?.at ?? 0) - stoppedAt).toBeLessThanOrEqual(500);
        expect(s.reports('end')).toHaveLength(1);
      }),
      { numRuns: 50 },
    );
  });

  it('a session left alone comes to rest: nobody has the floor for ever', () => {
    fc.assert(
      fc.property(script, (steps) => {
        const s = run(steps);
        s.dispatch({ type: 'peer.flowing', quietMs: 1 });
        s.dispatch({ type: 'peer.responsive' });
        // The engine ends the client's own speech by itself when no more of it comes.
        s.dispatch({ type: 'passthrough.finished', interrupted: false });
        // No more prompts that would make it speak again.
        s.dispatch({
          type: 'client.personaConfig',
          data: { voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 } },
        });
        s.wait(100_000);
        if (s.performed('session.close').length > 0) return;
        expect(s.session.snapshot().floor).toBe('nobody');
        expect(s.engine.isSpeaking).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../actors/events.ts';
import { VOICE_DETECTION_DEFAULTS } from '../../../actors/settings/voice-options.ts';
import { SimulatedSession } from '../../../actors/testing/simulated-session.ts';
import { costOf } from '../../../models/testing/input-cost.ts';
import { parseClientMessage } from '../../signaling/client-messages.ts';
import { parseClientSignal } from '../../signaling/client-signals.ts';
import { textSlices } from './text-slices.ts';

/** The longest text that one message may carry. */
const LONGEST = 32 * 1024;
const SESSION = '6f1f3c1e-8a55-4c0d-9a53-0d6e1c1f7a10';
const RUNS = { walls: 120, mixtures: 60 };
const SEED = 20_260_101;
/**
 * How long one text may block the thread until it is spoken or interrupted. It is 10 to 60 ms on a calm machine, in
 * many pieces. Code that read the text again for each of its characters took seconds.
 */
const MAX_CPU_MS = 500;
const MAX_MB = 100;
const TRIES = 4;

/** Repeated pieces that are expensive for code that reads text with patterns, by punctuation or by words. */
const BRICKS = [
  'word ',
  'a. ',
  'Dr. ',
  'e.g. ',
  '1. ',
  'no ',
  'stop ',
  'Ada, ',
  'and ',
  'mm-hm ',
  ' ',
  '\t',
  '\n',
  '.',
  '..a',
  ',',
  '?',
  "?'",
  '"',
  '-',
  'a-',
  '|',
  '*',
  '_a',
  '#',
  '\\',
  '`',
  '```',
  '~~',
  '[',
  '[sad]',
  '[a](',
  '](',
  '<',
  '<think>',
  '</think>',
  '<a ',
  '<|channel|>',
  '{',
  '{"',
  '{"a":',
  '{ ',
  '}',
  'www.',
  'https://a?',
  '😀',
  '\u0301',
  '\u200d',
  '\ud83d',
  '你',
  '你好。',
  'ก',
  'İ',
  '\u202e',
];

type Way = readonly [name: string, enter: (session: SimulatedSession, text: string) => void];

function message(fields: Record<string, unknown>): SessionEvent {
  const parsed = parseClientMessage(JSON.stringify(fields), { sessionId: SESSION, inMeeting: false });
  if (parsed.kind !== 'event') throw new Error(`not taken: ${JSON.stringify(parsed)}`);
  return parsed.event;
}

/** As the session's side of the signaling does it. */
function talkChunk(text: string): SessionEvent {
  const signal = { actionType: 'talkstream', payload: { content: text, startOfSpeech: true, correlationId: 'a' } };
  const parsed = parseClientSignal(JSON.stringify(signal), SESSION);
  if (parsed.kind !== 'signal' || parsed.signal.actionType !== 'talkstream') throw new Error('not taken');
  const { content } = parsed.signal.payload;
  return {
    type: 'client.talkChunk',
    content,
    startOfSpeech: true,
    endOfSpeech: true,
    correlationId: 'a',
    utteranceId: null,
  };
}

const WAYS: readonly Way[] = [
  ['typed', (session, text) => session.dispatch(message({ message_type: 'speech', content: text }))],
  ['as context', (session, text) => session.dispatch(message({ message_type: 'context', content: text }))],
  ['in a talk stream', (session, text) => session.dispatch(talkChunk(text))],
  [
    'by the LLM',
    (session, text) => {
      session.type('Tell me.').wait(10);
      const requestId = session.performed('llm.request').at(-1)?.requestId ?? '';
      for (const slice of textSlices(text)) session.dispatch({ type: 'llm.text', requestId, text: slice });
      session.dispatch({ type: 'llm.done', requestId });
    },
  ],
  [
    'as reasoning of the LLM',
    (session, text) => {
      session.type('Tell me.').wait(10);
      const requestId = session.performed('llm.request').at(-1)?.requestId ?? '';
      for (const slice of textSlices(text)) session.dispatch({ type: 'llm.reasoning', requestId, text: slice });
    },
  ],
  [
    'by the recognizer',
    (session, text) => {
      session.beginToSpeak('', 600).wait(300);
      session.dispatch({ type: 'stt.partial', text });
      session.engine.finalText = text;
    },
  ],
];

function startSession(): SimulatedSession {
  const patient = { ...VOICE_DETECTION_DEFAULTS, silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 };
  const session = new SimulatedSession({ config: { voiceDetection: patient } }).connect();
  session.engine.answer = () => ({ afterMs: 1e9 });
  session.wait(200);
  return session;
}

/** Whatever happened to the text, the user is answered afterwards. */
function expectAnAnswer(session: SimulatedSession): void {
  session.dispatch({ type: 'client.interrupt' });
  session.engine.answer = () => ({ text: 'Twelve.' });
  session.wait(2_000).type('How many were they?').wait(5_000);
  expect(session.transcript().at(-1)).toBe('persona: Twelve.');
}

const way = fc.constantFrom(...WAYS);
const wall = fc.record({
  brick: fc.constantFrom(...BRICKS),
  before: fc.constantFrom('', 'x ', '{"', 'Hello.', '```', '<think>'),
});
const mixture = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...BRICKS) }, fc.string({ unit: 'binary' })),
  {
    minLength: 10,
    maxLength: 300,
  },
);

describe('hostile text', () => {
  it('as long as it may be costs a bounded time and memory, whichever way it comes', async () => {
    await fc.assert(
      fc.asyncProperty(way, wall, async ([, enter], { brick, before }) => {
        const text = before + brick.repeat((LONGEST - before.length - 1) / Buffer.byteLength(brick));
        let least = { cpuMs: Infinity, peakMb: Infinity };
        for (let tries = 0; tries < TRIES && (least.cpuMs > MAX_CPU_MS || least.peakMb > MAX_MB); tries += 1) {
          const session = startSession();
          const cost = await costOf(async () => {
            enter(session, text);
            session.wait(1_500).dispatch({ type: 'client.interrupt' });
          });
          least = { cpuMs: Math.min(least.cpuMs, cost.cpuMs), peakMb: Math.min(least.peakMb, cost.peakMb) };
          if (tries === 0) expectAnAnswer(session);
        }
        expect(least.cpuMs).toBeLessThan(MAX_CPU_MS);
        expect(least.peakMb).toBeLessThan(MAX_MB);
      }),
      { numRuns: RUNS.walls, seed: SEED, endOnFailure: true },
    );
  });

  it('of any mixture leaves the session as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(way, mixture), { minLength: 1, maxLength: 4 }), (texts) => {
        const session = startSession();
        for (const [[, enter], parts] of texts) {
          const text = parts.join('').slice(0, LONGEST / 4);
          if (text !== '') enter(session, text);
          session.wait(700);
        }
        session.wait(20_000);
        expectAnAnswer(session);
      }),
      { numRuns: RUNS.mixtures, seed: SEED },
    );
  });
});

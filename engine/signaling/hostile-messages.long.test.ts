import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from '../../actors/settings/voice-options.ts';
import { SimulatedSession } from '../../actors/testing/simulated-session.ts';
import { clientTool } from '../../actors/testing/session-config.ts';
import {
  FULL_VALUES,
  SHORT_VALUES,
  withHostileValue,
  type HostileValue,
  type Place,
} from '../../actors/testing/hostile-values.ts';
import { costOf, type InputCost } from '../../models/testing/input-cost.ts';
import { parseClientMessage } from './client-messages.ts';
import { parseClientSignal } from './client-signals.ts';

const RUNS = { short: 2_000, full: 200 };
const SEED = 20_260_101;
/**
 * A message of a megabyte is far larger than the transport lets through. Most of its cost is reading it: see
 * `largest-bodies.test.ts`.
 */
const MAX_CPU_MS = 250;
const MAX_MB = 100;
/** What an input costs is the least of several tries: the rest is what the machine and the collector did beside it. */
const TRIES = 4;

const SESSION = '6f1f3c1e-8a55-4c0d-9a53-0d6e1c1f7a10';

/** One of every kind, with every field. */
const MESSAGES: readonly Record<string, unknown>[] = [
  { message_type: 'speech', content: 'Hello', timestamp: '2026-01-01T00:00:00.000', session_id: SESSION },
  { message_type: 'interrupt', session_id: SESSION, timestamp: '2026-01-01T00:00:00Z' },
  { message_type: 'context', session_id: SESSION, content: 'The cart is empty.' },
  { message_type: 'director_note_cue', cue: { tag: 'happy' }, in_seconds: 2, at_seconds: 3 },
  {
    message_type: 'tool_result',
    tool_call_id: 'fc_1',
    result: { a: 1 },
    error: 'no',
    user_action_correlation_id: 'x',
    timestamp_user_action: 'y',
  },
  {
    message_type: 'persona_config',
    data: {
      languageCode: 'de',
      voiceGenerationOptions: { speed: 1, volume: 1 },
      voiceDetectionOptions: { endOfSpeechSensitivity: 1, speechEnhancementLevel: 1 },
    },
  },
  { message_type: 'meeting_participants', participants: [{ id: 'p1', name: 'Alice' }] },
  { message_type: 'meeting_speaking', participant_id: 'p1', speaking: true },
  { message_type: 'remote_rtp_stats', data: { packetsLost: 1 } },
];
const SIGNALS: readonly Record<string, unknown>[] = [
  {
    actionType: 'offer',
    sessionId: SESSION,
    payload: { connectionDescription: { type: 'offer', sdp: 'v=0' }, userUid: 'x' },
  },
  {
    actionType: 'icecandidate',
    sessionId: SESSION,
    payload: { candidate: 'candidate:1 1 udp 1 127.0.0.1 9 typ host', sdpMid: '0', sdpMLineIndex: 0 },
  },
  { actionType: 'heartbeat', sessionId: SESSION, payload: '' },
  {
    actionType: 'talkstream',
    sessionId: SESSION,
    payload: { content: 'x', startOfSpeech: true, endOfSpeech: false, correlationId: 'a', utteranceId: 'b' },
  },
  {
    actionType: 'agentaudioinput',
    sessionId: SESSION,
    payload: { audioData: 'AAAA', encoding: 'pcm_s16le', sampleRate: 16_000, channels: 1, sequenceNumber: 0 },
  },
  { actionType: 'endsession', sessionId: SESSION, payload: '' },
];

function placesIn(value: unknown, place: Place = []): Place[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, part]) => placesIn(part, [...place, name]))
      : [];
  return [place, ...inner];
}

function hostile(documents: readonly Record<string, unknown>[], values: readonly HostileValue[]) {
  const places = documents.flatMap((document, index) => placesIn(document).map((place) => ({ index, place })));
  return fc
    .record({ at: fc.constantFrom(...places), what: fc.constantFrom(...values.map(({ name }) => name)) })
    .map(({ at: { index, place }, what }) => ({
      named: { kind: Object.values(documents[index]!)[0], place: place.join('.'), what },
      // A function, so that a counterexample of a megabyte is not printed.
      text: () =>
        withHostileValue(
          documents[index],
          place,
          values.find(({ name }) => name === what)!,
        ),
    }));
}

/** However long nobody speaks. */
const NEVER_ENDS = { ...VOICE_DETECTION_DEFAULTS, silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 };

function startSession(): SimulatedSession {
  const session = new SimulatedSession({
    config: { tools: [clientTool('lookup')], voiceDetection: NEVER_ENDS },
  }).connect();
  session.wait(1_000);
  return session;
}

function receive(session: SimulatedSession, text: string): void {
  const parsed = parseClientMessage(text, { sessionId: SESSION, inMeeting: true });
  if (parsed.kind === 'event') session.dispatch(parsed.event);
  session.wait(100);
}

/** @returns how often the persona has answered so far. */
const answersOf = (session: SimulatedSession): number =>
  session.messages('speechText').filter(({ data }) => data.role === 'persona' && data.end_of_speech).length;

describe('hostile messages of a client', () => {
  it('leave its own session as it was: the next question is answered', () => {
    fc.assert(
      fc.property(fc.array(hostile(MESSAGES, SHORT_VALUES), { minLength: 1, maxLength: 20 }), (messages) => {
        const session = startSession();
        for (const { text } of messages) receive(session, text());
        // Whatever they asked for is over by now.
        session.wait(60_000);
        const before = answersOf(session);
        session.dispatch({ type: 'client.text', content: 'Are you there?' });
        session.wait(10_000);
        expect(answersOf(session)).toBeGreaterThan(before);
      }),
      { numRuns: RUNS.short / 20, seed: SEED },
    );
  });

  it.each([
    ['messages', MESSAGES],
    ['signals', SIGNALS],
  ] as const)('as large as they come cost a bounded time and memory: %s', async (_kind, documents) => {
    await fc.assert(
      fc.asyncProperty(hostile(documents, FULL_VALUES), async ({ named, text }) => {
        const sent = text();
        const session = startSession();
        const tries: InputCost[] = [];
        while (tries.length < TRIES && !tries.some(({ cpuMs, peakMb }) => cpuMs <= MAX_CPU_MS && peakMb <= MAX_MB)) {
          tries.push(
            await costOf(async () => {
              receive(session, sent);
              parseClientSignal(sent, SESSION);
            }),
          );
        }
        expect(Math.min(...tries.map(({ cpuMs }) => cpuMs)), JSON.stringify(named)).toBeLessThan(MAX_CPU_MS);
        expect(Math.min(...tries.map(({ peakMb }) => peakMb)), JSON.stringify(named)).toBeLessThan(MAX_MB);
      }),
      { numRuns: RUNS.full / 2, seed: SEED, endOnFailure: true },
    );
  });

  it('are never taken for what they are not: signals', () => {
    fc.assert(
      fc.property(hostile(SIGNALS, SHORT_VALUES), ({ text }) => {
        expect(['signal', 'ignored', 'junk']).toContain(parseClientSignal(text(), SESSION).kind);
      }),
      { numRuns: RUNS.short, seed: SEED },
    );
  });
});

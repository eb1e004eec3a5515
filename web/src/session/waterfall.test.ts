import { describe, expect, it } from 'vitest';
import type { MessageStreamEvent, ServerMessage } from '../../../clients/js/src/index.ts';
import { observedTurns } from './observed-turns.ts';
import { EMPTY_TURN, type TurnRecord } from './turn-record.ts';
import { milliseconds, waterfallOf } from './waterfall.ts';

const turn = (part: Partial<TurnRecord>): TurnRecord => ({ ...EMPTY_TURN, turnIndex: 1, correlationId: 'c', ...part });

describe('the waterfall of a turn', () => {
  it('gives every moment between the two voices to one stage', () => {
    const waterfall = waterfallOf(
      turn({
        userSpeechEndedAt: 1000,
        endOfTurnAt: 1400,
        transcribedAt: 1450,
        llmFirstOutputAt: 1700,
        synthesisFirstAudioAt: 1800,
        speakingStartedAt: 1820,
      }),
    );
    expect(waterfall).toEqual({
      totalMs: 820,
      bars: [
        { stage: 'end-of-turn', from: 0, to: 400 },
        { stage: 'transcript', from: 400, to: 450 },
        { stage: 'llm', from: 450, to: 700 },
        { stage: 'voice', from: 700, to: 800 },
        { stage: 'on-its-way', from: 800, to: 820 },
      ],
    });
  });

  // All the time after the LLM's first output was the voice's: a tool that took three seconds made TTS look slow.
  it.each([
    ['the rest of its first sentence', [], 'sentence'],
    ['tools', ['call'], 'tools'],
  ])('tells what came between the first output of the LLM and the voice: %s', (_what, toolCallIds, stage) => {
    const bars = waterfallOf(
      turn({
        userSpeechEndedAt: 0,
        endOfTurnAt: 400,
        llmFirstOutputAt: 600,
        synthesisStartedAt: 3600,
        synthesisFirstAudioAt: 3700,
        speakingStartedAt: 3720,
        toolCallIds,
      }),
    )?.bars;
    expect(bars?.slice(2)).toEqual([
      { stage, from: 600, to: 3600 },
      { stage: 'voice', from: 3600, to: 3700 },
      { stage: 'on-its-way', from: 3700, to: 3720 },
    ]);
  });

  it('has no bar for a transcript that was ready before the turn was over', () => {
    const bars = waterfallOf(
      turn({
        userSpeechEndedAt: 0,
        endOfTurnAt: 400,
        transcribedAt: 300,
        llmFirstOutputAt: 500,
        speakingStartedAt: 600,
      }),
    )?.bars;
    expect(bars?.map(({ stage, from, to }) => [stage, from, to])).toEqual([
      ['end-of-turn', 0, 400],
      ['llm', 400, 500],
      ['on-its-way', 500, 600],
    ]);
  });

  it('begins with the question to the LLM when nobody spoke before, as in a greeting', () => {
    expect(waterfallOf(turn({ llmRequestedAt: 50, llmFirstOutputAt: 90, speakingStartedAt: 200 }))).toMatchObject({
      totalMs: 150,
      bars: [
        { stage: 'llm', from: 0, to: 40 },
        { from: 40, to: 150 },
      ],
    });
  });

  it('does not exist before the persona speaks', () => {
    expect(waterfallOf(turn({ userSpeechEndedAt: 1000 }))).toBeNull();
    expect(waterfallOf(turn({ speakingStartedAt: 1000 }))).toBeNull();
  });

  it('never shows a stage that ended after the first audio as longer than the wait', () => {
    expect(waterfallOf(turn({ userSpeechEndedAt: 0, llmFirstOutputAt: 900, speakingStartedAt: 500 }))?.bars).toEqual([
      { stage: 'llm', from: 0, to: 500 },
    ]);
  });
});

it('sees turns from the outside when the service does not tell', () => {
  const speech = (
    role: 'user' | 'persona',
    content: string,
    more: Partial<MessageStreamEvent> = {},
  ): ServerMessage => ({
    kind: 'speech',
    event: {
      id: role,
      role,
      content,
      contentIndex: 0,
      endOfSpeech: false,
      interrupted: false,
      correlationId: 'a',
      ...more,
    },
  });
  const messages: readonly (readonly [number, ServerMessage])[] = [
    [100, { kind: 'user-speech', phase: 'started', correlationId: 'a' }],
    [900, { kind: 'user-speech', phase: 'ended', correlationId: 'a' }],
    [1300, speech('user', 'Hi', { endOfSpeech: true })],
    [1700, speech('persona', 'Hello')],
    [2100, speech('persona', '', { endOfSpeech: true, interrupted: true })],
  ];
  const turns = messages.reduce<readonly TurnRecord[]>((seen, [at, message]) => observedTurns(seen, message, at), []);
  expect(turns).toEqual([
    {
      ...EMPTY_TURN,
      turnIndex: 0,
      correlationId: 'a',
      userSpeechStartedAt: 100,
      userSpeechEndedAt: 900,
      transcribedAt: 1300,
      speakingStartedAt: 1700,
      speakingEndedAt: 2100,
      finishReason: 'interrupted',
      userText: 'Hi',
      personaText: 'Hello',
    },
  ]);
  expect(waterfallOf(turns[0] ?? turn({}))?.totalMs).toBe(800);
});

it('writes times as people read them', () => {
  expect([milliseconds(0.4), milliseconds(840), milliseconds(1240)]).toEqual(['0 ms', '840 ms', '1.24 s']);
});

import { describe, expect, it } from 'vitest';
import type { SessionCommand } from '../commands.ts';
import { violations } from '../testing/invariants.ts';
import {
  pending,
  reachable,
  walk,
  type Model,
  type ModelEvent,
  type Move,
  type Visited,
} from '../testing/model-paths.ts';
import { systemTool, webhookTool } from '../testing/session-config.ts';
import { replyMachine } from './reply-machine.ts';

type Commands = readonly SessionCommand[];
const ofType = <T extends SessionCommand['type']>(commands: Commands, type: T) =>
  commands.filter((command): command is Extract<SessionCommand, { type: T }> => command.type === type);

/** The answer to what was asked for last by this kind of command. */
const answering =
  <T extends SessionCommand['type']>(
    type: T,
    answer: (asked: Extract<SessionCommand, { type: T }>) => ModelEvent,
  ): Move =>
  (commands) => {
    const asked = ofType(commands, type).at(-1);
    return asked === undefined ? null : answer(asked);
  };
const llm = (answer: (requestId: string) => ModelEvent): Move =>
  answering('llm.request', ({ requestId }) => answer(requestId));
const voice = (answer: (segmentId: string) => ModelEvent): Move =>
  answering('speech.say', ({ segmentId }) => answer(segmentId));
const tool = (answer: (callId: string) => ModelEvent): Move => answering('tool.run', ({ callId }) => answer(callId));

const llmCalls = (name: string, args = '{}') =>
  llm((requestId) => ({ type: 'llm.toolCall', requestId, call: { id: '0', name, arguments: args } }));
const llmSays = llm((requestId) => ({
  type: 'llm.text',
  requestId,
  text: 'It is a long story. It begins with a king and his three daughters. ',
}));
const llmIsDone = llm((requestId) => ({ type: 'llm.done', requestId }));

const CANCEL: Move = { type: 'turn.cancel' };
const CONFIRM: Move = { type: 'turn.confirm', userText: 'tell me', marks: null };
const INTERRUPT: Move = { type: 'turn.interrupt' };

const MOVES: readonly Move[] = [
  { type: 'turn.open' },
  { type: 'turn.shut', by: 'user' },
  { type: 'turn.suspend' },
  INTERRUPT,
  CANCEL,
  CONFIRM,
  llmSays,
  llm((requestId) => ({ type: 'llm.reasoning', requestId, text: 'hm' })),
  llmIsDone,
  llm((requestId) => ({ type: 'llm.failed', requestId, message: 'unreachable' })),
  llm((requestId) => ({ type: 'llm.failed', requestId, message: 'broke off', askAgain: 'for the rest' })),
  { type: 'llm.text', requestId: 'of another', text: 'Not this.' },
  { type: 'llm.done', requestId: 'of another' },
  llmCalls('book'),
  llmCalls('interrupt'),
  llmCalls('end_call', '{"confirmed":true}'),
  voice((segmentId) => ({ type: 'speech.started', segmentId })),
  voice((segmentId) => ({ type: 'speech.finished', segmentId })),
  voice((segmentId) => ({ type: 'speech.failed', segmentId, message: 'no voice' })),
  (commands) =>
    ofType(commands, 'speech.cut').length === 0
      ? null
      : { type: 'speech.cut', segmentId: ofType(commands, 'speech.say').at(-1)?.segmentId ?? null, playedMs: 0 },
  tool((callId) => ({ type: 'tool.succeeded', callId, output: 'fine', result: 'fine' })),
  tool((callId) => ({ type: 'tool.failed', callId, message: 'broken' })),
  { type: 'time', ms: 300 },
  { type: 'time', ms: 60_000 },
];

/** How the persona's turns end a reply, whether it is certain or not. */
const STOP: readonly Move[] = [CANCEL, INTERRUPT];
/** The voice's answer to a cut is waited for this long, a webhook 70 s. */
const CUT_GIVEN_UP: Move = { type: 'time', ms: 300 };
const TOOL_GIVEN_UP: Move = { type: 'time', ms: 70_000 };
/** Ten rounds of a silent LLM (60 s), a silent voice (30 s) and a silent tool (70 s) would take 1,600 s. */
const ALL_SILENT: Move = { type: 'time', ms: 1_600_000 };

interface Told {
  readonly preemptive: { readonly parts: readonly unknown[]; readonly later: readonly { readonly type: string }[] };
  readonly calls: readonly { readonly name: string }[];
  readonly answers: readonly unknown[];
  readonly effect: { readonly kind: string };
  readonly floor: 'free' | 'taken';
}

const reply: Model = {
  machine: replyMachine,
  moves: MOVES,
  config: {
    tools: [webhookTool('book', { disableInterruptions: true }), systemTool('interrupt'), systemTool('end_call')],
  },
  input: {
    correlationId: 'c',
    userActionAt: 0,
    turnIndex: 1,
    instruction: null,
    tentative: [{ text: 'tell me', speaker: null }],
    userText: null,
    marks: null,
    open: true,
  },
  tellApart: ({ preemptive, calls, answers, effect, floor }: Told, told) => [
    preemptive.parts.length + preemptive.later.length > 0,
    preemptive.later.some((event) => event.type === 'llm.done'),
    calls.slice(0, 2).map((call) => call.name),
    answers.length,
    effect.kind,
    floor,
    pending(told, 'persona.audible', 'persona.inaudible'),
  ],
};

const nameOf = ({ value }: Visited) => JSON.stringify(value).replaceAll(/[{}"]/g, '').replaceAll(':', '.');
const isDone = (state: Visited) => ['ceasing', 'winding', 'over'].includes(nameOf(state));
/** Requests to the LLM that it has not answered and that were not cancelled. */
const unanswered = ({ commands, events }: Visited) => {
  const settled = new Set<string>(
    events.flatMap((event) => (event.type === 'llm.done' || event.type === 'llm.failed' ? [event.requestId] : [])),
  );
  for (const { requestId } of ofType(commands, 'llm.cancel')) settled.add(requestId);
  return ofType(commands, 'llm.request').filter(({ requestId }) => !settled.has(requestId)).length;
};

const states = reachable(reply);

/** What is prepared and not said is heard by nobody. */
const isNotVoice = (type: string): boolean => type !== 'speech.prepare';

describe('a reply, in every state that can be reached', () => {
  it('reaches each of its states', () => {
    expect([...new Set(states.map(nameOf))].sort()).toEqual([
      'ceasing',
      'certain.awaitingFloor',
      'certain.calling',
      'certain.speaking',
      'certain.thinking.askingAgain',
      'certain.thinking.listening',
      'over',
      'preemptive.listening',
      'winding',
    ]);
  });

  it('does nothing but ask while the turn is not certain: nothing is said, written, run or told', () => {
    for (const state of states.filter((visited) => nameOf(visited) === 'preemptive.listening')) {
      expect(state.commands.map(({ type }) => type).filter(isNotVoice)).toEqual(['llm.request']);
      expect([state.told, state.reported, state.history]).toEqual([[], [], []]);
    }
  });

  it('says what the LLM has said meanwhile as soon as it is', () => {
    for (const { path } of states.filter(
      (visited) => nameOf(visited) === 'preemptive.listening' && unanswered(visited) === 1,
    )) {
      const said = ofType(
        walk(reply, [...path, llmSays, llmIsDone, { type: 'turn.open' }, CONFIRM]).commands,
        'speech.say',
      );
      expect(said.map((command) => command.text).join(' ')).toContain('It is a long story.');
    }
  });

  it('has its voice prepare its first words once at most', () => {
    for (const state of states) expect(ofType(state.commands, 'speech.prepare').length).toBeLessThanOrEqual(1);
  });

  it('leaves no trace when the turn proves to be none', () => {
    for (const { path } of states.filter((visited) => nameOf(visited) === 'preemptive.listening')) {
      const gone = walk(reply, [...path, CANCEL, ...MOVES]);
      expect([
        nameOf(gone),
        gone.commands.map(({ type }) => type).filter(isNotVoice),
        gone.told,
        gone.reported,
        gone.history,
      ]).toEqual(['over', ['llm.request', 'llm.cancel'], [], [], []]);
    }
  });

  it('keeps the rules of messages and tool events', () => {
    for (const { commands } of states) expect(violations(commands.map((command) => ({ at: 0, command })))).toEqual([]);
  });

  it('has one question to the LLM at a time, and none once it is known to be over', () => {
    for (const state of states)
      expect(unanswered(state)).toBeLessThanOrEqual(
        nameOf(state) === 'preemptive.listening' || nameOf(state) === 'certain.thinking.listening' ? 1 : 0,
      );
  });

  it('begins nothing new once it has been stopped', () => {
    for (const { path, commands } of states.filter(isDone)) {
      const later = walk(reply, [...path, ...MOVES])
        .commands.slice(commands.length)
        .map((command) => command.type);
      for (const type of ['llm.request', 'speech.say', 'tool.run']) expect(later).not.toContain(type);
    }
  });

  it('has no dead end: stopped, its voice ends when the cut is answered or given up, itself with its last tool', () => {
    for (const { path } of states) {
      const stopped = walk(reply, [...path, ...STOP, CUT_GIVEN_UP]);
      expect(['winding', 'over']).toContain(nameOf(stopped));
      expect(nameOf(walk(reply, [...path, ...STOP, CUT_GIVEN_UP, TOOL_GIVEN_UP]))).toBe('over');
      expect(nameOf(walk(reply, [...path, ...STOP, { type: 'session.ending' }, CUT_GIVEN_UP]))).toBe('over');
    }
  });

  it('has no dead end: it ends even when LLM, voice and tools have fallen silent', () => {
    for (const { path } of states)
      expect(nameOf(walk(reply, [...path, CONFIRM, { type: 'turn.open' }, ALL_SILENT]))).toBe('over');
  });

  it('says once that its voice is done, then and not before', () => {
    for (const state of states) {
      const cancelled =
        state.events.find((event) => event.type === 'turn.cancel' || event.type === 'turn.confirm')?.type ===
        'turn.cancel';
      expect(state.reported.length).toBe(
        (nameOf(state) === 'winding' || nameOf(state) === 'over') && !cancelled ? 1 : 0,
      );
    }
  });

  it('leaves neither sound nor protection behind', () => {
    for (const state of states) {
      const { told } = state;
      const audible = pending(told, 'persona.audible', 'persona.inaudible');
      const running = pending(told, 'tool.begun', 'tool.over');
      expect(audible).toBeGreaterThanOrEqual(0);
      expect(audible).toBeLessThanOrEqual(state.reported.length === 0 ? 1 : 0);
      expect(pending(told, 'persona.uninterruptible', 'persona.interruptible')).toBeLessThanOrEqual(running);
      if (nameOf(state) === 'over')
        expect([audible, running, pending(told, 'persona.uninterruptible', 'persona.interruptible')]).toEqual([
          0, 0, 0,
        ]);
    }
  });
});

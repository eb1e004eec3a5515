import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../session-config.ts';
import { violations } from '../testing/invariants.ts';
import { pending, reachable, walk, type Model, type Move, type Visited } from '../testing/model-paths.ts';
import { clientTool, systemTool, webhookTool } from '../testing/session-config.ts';
import { toolCallMachine } from './tool-call-machine.ts';

const CALL = { callId: 'call-1', name: '', argumentsText: '{}', correlationId: 'c', userActionAt: 0, turnIndex: 1 };

const MOVES: readonly Move[] = [
  { type: 'call.go' },
  { type: 'client.toolResult', toolCallId: 'call-1', result: 'fine', error: null },
  { type: 'client.toolResult', toolCallId: 'call-1', result: null, error: 'broken' },
  { type: 'client.toolResult', toolCallId: 'call-2', result: 'fine', error: null },
  { type: 'tool.succeeded', callId: 'call-1', output: 'fine', result: 'fine' },
  { type: 'tool.failed', callId: 'call-1', message: 'broken' },
  { type: 'tool.succeeded', callId: 'call-2', output: '', result: '' },
  { type: 'session.ending' },
  { type: 'time', ms: 1_000 },
  { type: 'time', ms: 70_000 },
];

/**
 * The longest duration of any call: a client tool's longest time-out is 60 s, and a webhook that reports nothing is
 * given up after 70.
 */
const BOUND: Move = { type: 'time', ms: 70_000 };

const modelOf = (tool: ToolDefinition, argumentsText = '{}', name = tool.name): Model => ({
  machine: toolCallMachine,
  moves: MOVES,
  config: { tools: [tool] },
  input: { call: { ...CALL, name, argumentsText } },
});

/** With the states that each kind of call goes through. */
const kinds: readonly (readonly [string, Model, readonly string[]])[] = [
  [
    'a client tool whose result is awaited',
    modelOf(clientTool('lookup', { disableInterruptions: true })),
    ['announced', 'clientAwaited', 'over'],
  ],
  [
    'a client tool that is only sent',
    modelOf(clientTool('notify', { awaitResult: false, disableInterruptions: true })),
    ['announced', 'clientSent', 'noted', 'over'],
  ],
  [
    'a webhook whose answer is awaited',
    modelOf(webhookTool('book', { disableInterruptions: true })),
    ['announced', 'over', 'serverAwaited'],
  ],
  [
    'a webhook that is only sent',
    modelOf(webhookTool('tell', { awaitResponse: false, disableInterruptions: true })),
    ['announced', 'over', 'serverSent'],
  ],
  ['a system tool', modelOf(systemTool('skip_turn'), '{"timeout_seconds":5}'), ['announced', 'over']],
  ['a call of a tool that is not there', modelOf(clientTool('lookup'), '{}', 'other'), ['refused', 'unfit']],
  ['a call with arguments that are no JSON', modelOf(clientTool('lookup'), '{'), ['refused', 'unfit']],
];

const messages = ({ commands }: Visited, ...types: string[]) =>
  commands.filter((command) => command.type === 'message.send' && types.includes(command.message.messageType)).length;
const entries = ({ commands }: Visited) =>
  commands.flatMap((command) =>
    command.type === 'report' && command.entry.kind === 'toolCall' ? [command.entry.call.status] : [],
  );
const isOver = ({ value }: Visited) => value === 'over' || value === 'noted' || value === 'refused';

describe.each(kinds)('%s, in every state that can be reached', (_, model, names) => {
  const states = reachable(model);
  const isFit = !names.includes('unfit');

  it('reaches each of its states', () => {
    expect(states.map((state) => state.value).sort()).toEqual([...names].sort());
  });

  it('is announced once if it can be made, runs at most once, ends at most once', () => {
    for (const state of states.flatMap(({ path }) => MOVES.map((move) => walk(model, [...path, move, ...MOVES])))) {
      expect(violations(state.commands.map((command) => ({ at: 0, command })))).toEqual([]);
      expect(messages(state, 'toolCallStarted')).toBe(isFit ? 1 : 0);
      expect(messages(state, 'toolCallCompleted', 'toolCallFailed')).toBeLessThanOrEqual(1);
      expect(state.commands.filter((command) => command.type === 'tool.run').length).toBeLessThanOrEqual(1);
      expect(entries(state).filter((status) => status !== 'started').length).toBeLessThanOrEqual(1);
    }
  });

  it('answers the LLM once: not before it is let go, not after it has ended', () => {
    for (const state of states.flatMap(({ path }) => MOVES.map((move) => walk(model, [...path, move])))) {
      const happened = new Set(state.events.map((event) => event.type));
      const isAnswered =
        happened.has('call.go') && (isOver(state) || state.value === 'clientSent' || state.value === 'serverSent');
      // The session's end also means that the LLM no longer waits.
      if (!happened.has('session.ending'))
        expect(state.reported).toMatchObject(
          isAnswered ? [{ type: 'call.answered', answer: { callId: 'call-1' } }] : [],
        );
      expect(walk(model, [...state.path, ...MOVES]).reported.length).toBeLessThanOrEqual(1);
    }
  });

  it('has no dead end: it ends within its bound, and at once when the session ends', () => {
    for (const { path } of states) {
      expect(isOver(walk(model, [...path, { type: 'call.go' }, BOUND]))).toBe(true);
      expect(isOver(walk(model, [...path, { type: 'session.ending' }]))).toBe(true);
    }
  });

  it('protects the persona exactly while it runs', () => {
    for (const state of states) {
      const runs = isFit && !isOver(state) && state.value !== 'clientSent';
      expect(pending(state.told, 'tool.begun', 'tool.over')).toBe(runs ? 1 : 0);
      if (state.told.some((event) => event.type === 'persona.uninterruptible'))
        expect(pending(state.told, 'persona.uninterruptible', 'persona.interruptible')).toBe(runs ? 1 : 0);
    }
  });

  it('is recorded with its end, unless nobody waited for it and nothing came', () => {
    for (const state of states.filter(isOver)) {
      const [first, ...rest] = entries(state);
      // A call that cannot be made fails without a start; nobody is told when the session ends before it was due.
      expect(first).toBe(isFit ? 'started' : 'failed');
      if (isFit && state.value !== 'noted') expect(rest).toHaveLength(1);
    }
  });
});

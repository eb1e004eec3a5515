import { describe, expect, it } from 'vitest';
import type { SessionMemory } from '../session-memory.ts';
import { reachable, walk, type Model, type Move } from '../testing/model-paths.ts';
import { meetingMachine } from './meeting-machine.ts';

const turn = {
  text: 'x',
  said: [],
  asked: null,
  language: null,
  correlationId: 'c',
  startedAt: 0,
  endedAt: 0,
  decidedAt: 0,
  transcribedAt: 0,
};
const alice = { id: 'a', name: 'Alice' };
const bob = { id: 'b', name: 'Bob' };

const MOVES: readonly Move[] = [
  { type: 'meeting.participants', participants: [] },
  { type: 'meeting.participants', participants: [alice, alice] },
  { type: 'meeting.participants', participants: [alice, bob] },
  { type: 'meeting.speaking', participantId: 'a', speaking: true },
  { type: 'meeting.speaking', participantId: 'a', speaking: false },
  { type: 'turn.ended', turn },
  { type: 'turn.ended', turn: { ...turn, asked: { by: ['a'], at: 0 } } },
  { type: 'persona.audible' },
  { type: 'persona.inaudible', askedQuestion: false },
  { type: 'persona.inaudible', askedQuestion: true },
  { type: 'silence.skip', timeoutMs: 1_000 },
  { type: 'client.interrupt' },
];

type Context = { readonly env: { readonly memory: SessionMemory } };
const meeting: Model = {
  machine: meetingMachine,
  moves: MOVES,
  config: { meeting: { displayName: 'Ada (AI)', groupCall: true } },
  tellApart: ({ env: { memory } }: Context) => {
    const { others, loud, asked, answered } = memory.meeting;
    const speaks = loud.some(({ to }) => to === Infinity);
    return { others: others.length, speaks, asked, answered, heard: answered?.until === Infinity };
  },
};

interface Told {
  readonly others: number;
  readonly asked: unknown;
  readonly answered: { readonly to: readonly string[] } | null;
  readonly heard: boolean;
}
const told = (state: string): Told => (JSON.parse(state) as [unknown, unknown, Told])[2];

describe('the meeting', () => {
  const states = reachable(meeting);
  const after = (path: readonly Move[], move: Move): Told => told(walk(meeting, [...path, move]).state);

  it('knows how many others are there, and tells it when that changes', () => {
    for (const { path, state } of states) {
      for (const [move, others] of [
        [MOVES[0], 0],
        [MOVES[1], 1],
        [MOVES[2], 2],
      ] as const) {
        const next = walk(meeting, [...path, move!]);
        expect(told(next.state).others).toBe(others);
        const changes = next.told.filter(({ type }) => type === 'meeting.changed');
        expect(changes.at(-1)).toEqual(changes.length === 0 ? undefined : { type: 'meeting.changed', others });
        const before = walk(meeting, path).told.filter(({ type }) => type === 'meeting.changed').length;
        expect(changes.length - before).toBe(told(state).others === others ? 0 : 1);
      }
    }
  });

  it('owes nobody an answer once the persona is heard, or chose to say nothing', () => {
    for (const { path } of states)
      for (const move of [{ type: 'persona.audible' }, { type: 'silence.skip', timeoutMs: 1 }] as const)
        expect(after(path, move).asked).toBeNull();
  });

  it('answers only those who asked', () => {
    for (const { path, state } of states) {
      const { asked, answered } = told(state);
      const next = after(path, { type: 'persona.audible' });
      expect(next.answered === null).toBe(asked === null && answered === null);
      expect(next.heard).toBe(next.answered !== null);
    }
  });

  it('forgets whom it answered when somebody says something to others', () => {
    for (const { path } of states) expect(after(path, { type: 'turn.ended', turn }).answered).toBeNull();
  });

  it('is nothing in an ordinary session', () => {
    for (const { told: events, commands, value } of reachable({ ...meeting, config: { meeting: null } })) {
      expect(value).toBe('none');
      expect([...events, ...commands]).toEqual([]);
    }
  });
});

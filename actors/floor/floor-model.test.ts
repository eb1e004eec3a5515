import { describe, expect, it } from 'vitest';
import type { BusEvent } from '../kernel/inner-events.ts';
import { reachable, walk, type Model, type Move } from '../testing/model-paths.ts';
import { floorMachine } from './floor-machine.ts';
import { floorOwner } from './floor-owner.ts';
import { countUninterruptible } from './uninterruptible.ts';

const turn = {
  text: 'x',
  said: [],
  asked: { by: [], at: 0 },
  language: null,
  correlationId: 'c',
  startedAt: 0,
  endedAt: 0,
  decidedAt: 0,
  transcribedAt: 0,
};

const MOVES: readonly Move[] = [
  { type: 'vad.suspected', onsetAt: 0 },
  { type: 'vad.faded' },
  { type: 'vad.started', onsetAt: 0 },
  { type: 'vad.stopped', onsetAt: 0, lastVoicedAt: 400, voicedMs: 400, levelDb: -25 },
  { type: 'vad.window', probability: 0.9, levelDb: -25, endsAt: 5_000 },
  { type: 'stt.partial', text: 'stop it now please' },
  { type: 'stt.partial', text: 'mm-hm' },
  { type: 'stt.final', text: '', language: null },
  { type: 'stt.final', text: 'what is that', language: null },
  { type: 'persona.audible' },
  { type: 'persona.inaudible', askedQuestion: false },
  { type: 'persona.uninterruptible' },
  { type: 'persona.interruptible' },
  { type: 'turn.ended', turn },
  { type: 'turn.dropped' },
  { type: 'time', ms: 1_500 },
  { type: 'time', ms: 2_500 },
];

/** What quietens everybody down, from wherever. */
const CALM: readonly Move[] = [
  { type: 'persona.interruptible' },
  { type: 'vad.started', onsetAt: 0 },
  { type: 'vad.stopped', onsetAt: 0, lastVoicedAt: 1, voicedMs: 100, levelDb: -25 },
  { type: 'vad.faded' },
  { type: 'time', ms: 1_500 },
  { type: 'turn.dropped' },
  { type: 'persona.inaudible', askedQuestion: false },
];

interface FloorValue {
  readonly user: string;
  readonly persona: string;
  readonly overlap: string | Readonly<Record<string, string>>;
}

const floor: Model = { machine: floorMachine, moves: MOVES };
const states = reachable(floor);
const valueOf = (state: { readonly value: unknown }) => state.value as FloorValue;

describe('the floor, in every state that can be reached', () => {
  it('reaches each of its states', () => {
    const seen = new Set(states.map((state) => JSON.stringify(valueOf(state).overlap)));
    expect([...seen].sort()).toEqual([
      '"none"',
      '"tolerated"',
      '"unjudged"',
      '{"lowered":"fading"}',
      '{"lowered":"voiced"}',
    ]);
    expect(new Set(states.map((state) => valueOf(state).user))).toEqual(
      new Set(['silent', 'suspected', 'talking', 'pausing']),
    );
    expect(new Set(states.map((state) => floorOwner(state.value)))).toEqual(
      new Set(['nobody', 'user', 'persona', 'both']),
    );
  });

  it('has one owner, or an overlap that is being judged, protected or tolerated', () => {
    for (const state of states) {
      const { user, persona } = valueOf(state);
      const owners = (user === 'talking' || user === 'pausing' ? 1 : 0) + (persona === 'audible' ? 1 : 0);
      expect(floorOwner(state.value)).toBe(
        owners === 2 ? 'both' : owners === 0 ? 'nobody' : persona === 'audible' ? 'persona' : 'user',
      );
    }
  });

  it('lowers the voice exactly while it judges', () => {
    for (const state of states) {
      const lowered =
        state.commands.filter((command) => command.type === 'speech.duck').length -
        state.commands.filter((command) => command.type === 'speech.unduck').length;
      expect(lowered).toBe(typeof valueOf(state).overlap === 'object' ? 1 : 0);
    }
  });

  it('judges only while the persona is heard', () => {
    for (const state of states) if (valueOf(state).overlap !== 'none') expect(valueOf(state).persona).toBe('audible');
  });

  it('is taken and freed in turns', () => {
    for (const { told, value } of states) {
      const marks = told.map((event) => event.type).filter((type) => type === 'floor.taken' || type === 'floor.free');
      marks.forEach((type, index) => expect(type).toBe(index % 2 === 0 ? 'floor.taken' : 'floor.free'));
      expect(marks.length % 2).toBe((value as FloorValue).user === 'silent' ? 0 : 1);
    }
  });

  it('has no dead end: everybody falls silent, and it is as in the beginning', () => {
    const start = walk(floor, []).state;
    for (const state of states) expect(walk(floor, [...state.path, ...CALM]).state).toBe(start);
  });

  // The machine itself gets no event that one of its regions handles: a tool with `disableInterruptions` that began or ended
  // while the user talked over the persona was not counted, and nothing could interrupt the persona from then on.
  it('protects the persona exactly until all that is uninterruptible has ended', () => {
    const [begins, ends] = [{ type: 'persona.uninterruptible' }, { type: 'persona.interruptible' }] as const;
    const [silenced, overlaps] = [
      CALM.slice(1),
      [{ type: 'persona.audible' }, { type: 'vad.suspected', onsetAt: 0 }],
    ] as const;
    for (const { path } of states)
      for (const moves of [
        [begins, ...path],
        [begins, ...path, ends],
        [...path, begins],
        [...path, begins, ends],
      ]) {
        const { events } = walk(floor, moves);
        const held = events.reduce((count, event) => countUninterruptible(count, event as BusEvent), 0);
        const { overlap } = valueOf(walk(floor, [...moves, ...silenced, ...(overlaps as readonly Move[])]));
        expect(overlap, JSON.stringify(moves)).toEqual(held > 0 ? 'none' : { lowered: 'voiced' });
      }
  });

  it('never keeps the voice lowered for longer than its bound', () => {
    for (const state of states) {
      const later = walk(floor, [...state.path, { type: 'time', ms: 4_000 }]);
      expect(typeof valueOf(later).overlap).toBe('string');
    }
  });
});

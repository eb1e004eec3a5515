import { and, assign, setup, stateIn } from 'xstate';
import { countUninterruptible } from './uninterruptible.ts';
import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { judge, type Verdict } from './interruption.ts';
import { beginOverlap, hear, overlapOf, stopVoice, type OverlapEvidence } from './overlap.ts';

/** After the voice the recognizer's text is awaited this long; then the sound was no interruption. */
const VERDICT_WAIT_MS = 1_500;
/** The persona's voice stays lowered this long at most; a sound that goes on without words is part of the room. */
const DUCK_AT_MOST_MS = 2_500;

interface Context {
  readonly env: SessionEnvironment;
  readonly overlap: OverlapEvidence;
  /** This recognizer has been seen to give words while the user speaks. */
  readonly partialsKnown: boolean;
  readonly uninterruptibles: number;
}

/**
 * Who may speak. Two regions say who does (user, persona), the third decides what becomes of an overlap: the persona's
 * voice is lowered at once, then either it yields or it goes on.
 */
export const floorMachine = setup({
  types: {} as { context: Context; events: BusEvent; input: { env: SessionEnvironment } },
  guards: {
    personaCanBeInterrupted: and([stateIn({ persona: 'audible' }), 'personaIsInterruptible']),
    userIsHeard: stateIn({ user: 'talking' }),
    isLastUninterruptible: ({ context }) => context.uninterruptibles <= 1,
    personaIsInterruptible: ({ context }) => context.uninterruptibles === 0,
    isWords: ({ context, event }) => verdict(context, event) === 'words',
    isVoice: ({ context, event }) => verdict(context, event) === 'voice',
    isKeep: ({ context, event }) => verdict(context, event) === 'keep',
  },
  actions: {
    join: ({ context, self }) => context.env.join(self),
    countUninterruptible: assign({
      uninterruptibles: ({ context, event }) => countUninterruptible(context.uninterruptibles, event),
    }),
    tellTaken: ({ context }) => context.env.tell({ type: 'floor.taken' }),
    tellFree: ({ context }) => context.env.tell({ type: 'floor.free' }),
    duck: ({ context }) => context.env.perform({ type: 'speech.duck' }),
    unduck: ({ context }) => context.env.perform({ type: 'speech.unduck' }),
    beginOverlap: assign({ overlap: ({ context, event }) => beginOverlap(event, context.env.now()) }),
    hear: assign({ overlap: ({ context, event }) => hear(context.overlap, event) }),
    stopVoice: assign({ overlap: ({ context, event }) => stopVoice(context.overlap, event) }),
    notePartials: assign({
      partialsKnown: ({ context, event }) =>
        context.partialsKnown || (event.type === 'stt.partial' && event.text.trim() !== ''),
    }),
    tellYield: ({ context }, params: { evidence: 'words' | 'voice' }) =>
      context.env.tell({ type: 'floor.yield', evidence: params.evidence }),
    tellKeep: ({ context }) => context.env.tell({ type: 'floor.keep' }),
    tellUndecided: ({ context }) => context.env.tell({ type: 'floor.undecided' }),
  },
  delays: { verdictWait: VERDICT_WAIT_MS, duckAtMost: DUCK_AT_MOST_MS },
}).createMachine({
  id: 'floor',
  type: 'parallel',
  context: ({ input }) => ({
    env: input.env,
    overlap: beginOverlap({ type: 'vad.faded' }, 0),
    partialsKnown: false,
    uninterruptibles: 0,
  }),
  entry: 'join',
  on: {
    'stt.partial': { actions: 'notePartials' },
    'persona.uninterruptible': { actions: 'countUninterruptible' },
    'persona.interruptible': { actions: 'countUninterruptible' },
  },
  states: {
    user: {
      initial: 'silent',
      states: {
        silent: { on: { 'vad.suspected': { target: 'suspected', actions: 'tellTaken' } } },
        suspected: { on: { 'vad.started': 'talking', 'vad.faded': { target: 'silent', actions: 'tellFree' } } },
        talking: { on: { 'vad.stopped': 'pausing' } },
        pausing: {
          on: {
            'vad.started': 'talking',
            'turn.ended': { target: 'silent', actions: 'tellFree' },
            'turn.dropped': { target: 'silent', actions: 'tellFree' },
          },
        },
      },
    },
    persona: {
      initial: 'silent',
      states: {
        silent: { on: { 'persona.audible': 'audible' } },
        audible: { on: { 'persona.inaudible': 'silent' } },
      },
    },
    overlap: {
      initial: 'none',
      states: {
        none: {
          on: {
            'vad.suspected': { guard: 'personaCanBeInterrupted', target: 'lowered', actions: 'beginOverlap' },
            'vad.started': { guard: 'personaCanBeInterrupted', target: 'lowered', actions: 'beginOverlap' },
            /** The user has been talking into protected speech: from now on it may be an interruption. */
            'persona.interruptible': {
              guard: and([stateIn({ persona: 'audible' }), 'userIsHeard', 'isLastUninterruptible']),
              target: 'lowered',
              actions: 'beginOverlap',
            },
            /** It began in the moment in which the user did. */
            'persona.audible': {
              guard: and(['userIsHeard', 'personaIsInterruptible']),
              target: 'lowered',
              actions: 'beginOverlap',
            },
          },
        },
        lowered: {
          entry: 'duck',
          exit: 'unduck',
          initial: 'voiced',
          on: {
            'vad.faded': 'none',
            'persona.inaudible': 'none',
            'persona.uninterruptible': 'none',
          },
          states: {
            voiced: {
              after: { duckAtMost: '#floor.overlap.tolerated' },
              on: {
                'vad.window': [
                  {
                    guard: 'isVoice',
                    target: '#floor.overlap.none',
                    actions: { type: 'tellYield', params: { evidence: 'voice' } },
                  },
                  {
                    guard: 'isWords',
                    target: '#floor.overlap.none',
                    actions: { type: 'tellYield', params: { evidence: 'words' } },
                  },
                  { actions: 'hear' },
                ],
                'stt.partial': [
                  {
                    guard: 'isWords',
                    target: '#floor.overlap.none',
                    actions: { type: 'tellYield', params: { evidence: 'words' } },
                  },
                  { actions: 'hear' },
                ],
                'vad.stopped': [
                  {
                    guard: 'isWords',
                    target: '#floor.overlap.none',
                    actions: { type: 'tellYield', params: { evidence: 'words' } },
                  },
                  { guard: 'isKeep', target: '#floor.overlap.none', actions: 'tellKeep' },
                  { target: 'fading', actions: ['stopVoice', 'tellUndecided'] },
                ],
              },
            },
            fading: {
              after: { verdictWait: { target: '#floor.overlap.none', actions: 'tellKeep' } },
              on: {
                'stt.final': [
                  {
                    guard: 'isWords',
                    target: '#floor.overlap.none',
                    actions: { type: 'tellYield', params: { evidence: 'words' } },
                  },
                  { target: '#floor.overlap.none', actions: 'tellKeep' },
                ],
                'vad.started': { target: 'voiced' },
              },
            },
          },
        },
        /** The sound goes on and says nothing: the persona speaks on at full voice, words can still interrupt it. */
        tolerated: {
          on: {
            'persona.inaudible': 'none',
            'persona.uninterruptible': 'none',
            'vad.window': { actions: 'hear' },
            'stt.partial': [
              { guard: 'isWords', target: 'none', actions: { type: 'tellYield', params: { evidence: 'words' } } },
              { actions: 'hear' },
            ],
            'vad.stopped': [
              { guard: 'isWords', target: 'none', actions: { type: 'tellYield', params: { evidence: 'words' } } },
              { target: 'none', actions: 'tellKeep' },
            ],
          },
        },
      },
    },
  },
});

function verdict({ env: { memory }, overlap, partialsKnown }: Context, event: BusEvent): Verdict {
  return judge(
    overlapOf(hear(stopVoice(overlap, event), event), {
      speaker: memory.speaker,
      partialsKnown,
      language: memory.settings.languageCode,
    }),
  );
}

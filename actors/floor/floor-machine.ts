import { and, stateIn } from 'xstate';
import { beginOverlap } from './overlap.ts';
import { floorSetup } from './floor-actions.ts';

/**
 * Who may speak. Two regions say who speaks now: the user, the persona. The third handles an overlap: the persona's
 * volume is lowered at once, and then the persona stops or continues.
 */
export const floorMachine = floorSetup.createMachine({
  id: 'floor',
  type: 'parallel',
  context: ({ input }) => ({
    env: input.env,
    overlap: beginOverlap({ type: 'vad.faded' }, 0),
    partialsKnown: false,
    uninterruptibles: 0,
    userEndedAt: null,
    askedAt: 0,
    latencyMs: null,
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
            'turn.ended': { target: 'silent', actions: ['noteUserEnd', 'tellFree'] },
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
            /** The user has been talking during uninterruptible speech. From now on, this may be an interruption. */
            'persona.interruptible': {
              guard: and([stateIn({ persona: 'audible' }), 'userIsHeard', 'isLastUninterruptible']),
              target: 'lowered',
              // Counted here, too: the machine itself gets no event that one of its regions handles.
              actions: ['countUninterruptible', 'beginOverlap'],
            },
            /** The persona's speech began at the same moment as the user's. */
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
            'persona.uninterruptible': { target: 'none', actions: 'countUninterruptible' },
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
                    actions: ['notePartials', { type: 'tellYield', params: { evidence: 'words' } }],
                  },
                  { actions: ['notePartials', 'hear'] },
                ],
                /** Of what was said before a short pause. */
                'stt.final': {
                  guard: 'isWords',
                  target: '#floor.overlap.none',
                  actions: { type: 'tellYield', params: { evidence: 'words' } },
                },
                'vad.stopped': [
                  {
                    guard: 'isWords',
                    target: '#floor.overlap.none',
                    actions: { type: 'tellYield', params: { evidence: 'words' } },
                  },
                  { guard: 'isKeep', target: '#floor.overlap.none', actions: 'tellKeep' },
                  { target: 'fading', actions: ['stopVoice', 'noteAsked', 'tellUndecided'] },
                ],
              },
            },
            fading: {
              after: { verdictWait: '#floor.overlap.unjudged' },
              on: {
                'stt.final': [
                  {
                    guard: 'isWords',
                    target: '#floor.overlap.none',
                    actions: ['noteLatency', { type: 'tellYield', params: { evidence: 'words' } }],
                  },
                  { target: '#floor.overlap.none', actions: ['noteLatency', 'tellKeep'] },
                ],
                'vad.started': { target: 'voiced' },
              },
            },
          },
        },
        /**
         * The recognizer is slow. The persona speaks at full volume again, but that is no verdict about words that nobody
         * knows yet: they are judged when they come.
         */
        unjudged: {
          on: {
            'persona.inaudible': 'none',
            'persona.uninterruptible': { target: 'none', actions: 'countUninterruptible' },
            /** The user turn has given the words up. If they come all the same, they are a late transcript. */
            'turn.ended': 'none',
            'turn.dropped': 'none',
            'vad.started': 'lowered',
            'stt.final': [
              {
                guard: 'isWords',
                target: 'none',
                actions: ['noteLatency', { type: 'tellYield', params: { evidence: 'words' } }],
              },
              { target: 'none', actions: ['noteLatency', 'tellKeep'] },
            ],
          },
        },
        /**
         * The user's voice continues without words. The persona speaks at full volume again, and words can still
         * interrupt it.
         */
        tolerated: {
          on: {
            'persona.inaudible': 'none',
            'persona.uninterruptible': { target: 'none', actions: 'countUninterruptible' },
            'vad.window': { actions: 'hear' },
            'stt.partial': [
              {
                guard: 'isWords',
                target: 'none',
                actions: ['notePartials', { type: 'tellYield', params: { evidence: 'words' } }],
              },
              { actions: ['notePartials', 'hear'] },
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

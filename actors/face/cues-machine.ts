import { cuesSetup } from './cues-actions.ts';

/**
 * How the persona acts: cues of the client at their time, cues in its own words where they stand; afterwards as usual.
 */
export const cuesMachine = cuesSetup.createMachine({
  id: 'cues',
  context: ({ input: { env } }) => ({
    env,
    waiting: [],
    speechStartedAt: null,
    turn: { correlationId: env.ids.uuid(), userActionAt: env.now() },
  }),
  entry: 'join',
  initial: 'unknown',
  states: {
    unknown: { always: [{ guard: 'canAct', target: 'acting' }, 'plain'] },
    /** This face cannot act: cues are ignored without a word. */
    plain: {},
    acting: {
      on: {
        'client.cue': { actions: ['take', 'playDue'] },
        'cue.due': { actions: 'playDue' },
        'persona.turnBegun': { actions: 'noteTurn' },
        'persona.audible': { actions: ['noteSpeech', 'playDue'] },
        'persona.cue': { actions: 'actInline' },
        'persona.idle': [{ guard: 'isActing', actions: ['noteSilence', 'actAsUsual'] }, { actions: 'noteSilence' }],
      },
    },
  },
});

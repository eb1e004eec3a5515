import { cuesSetup } from './cues-actions.ts';

/**
 * Director's cues: those of the client at their time, and those in the persona's text when its speech reaches them. At
 * the end of a turn, the face returns to the session's baseline.
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
    /** This avatar model takes no cues. */
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

import { assign } from 'xstate';
import { actorSetup, tells, type ActorContext } from '../kernel/actor-setup.ts';

interface Context extends ActorContext {
  readonly durationMs: number;
}

/**
 * `pause_conversation`: the persona says nothing until the user says something to it or writes, or the time is over. A
 * mere sound (a cough, a door) and what is said to others do not end it: the user asked for quiet.
 */
export const pauseMachine = actorSetup({ types: {} as { context: Context } })
  .extend({
    guards: {
      isForPersona: ({ event }) => event.type === 'turn.ended' && event.turn.asked !== null,
    },
    actions: {
      noteDuration: assign({
        durationMs: ({ context, event }) => (event.type === 'pause.begin' ? event.durationMs : context.durationMs),
      }),
      tellBegun: tells({ type: 'pause.begun' }),
      tellOver: tells({ type: 'pause.over' }),
    },
    delays: { duration: ({ context }) => context.durationMs },
  })
  .createMachine({
    id: 'pause',
    context: ({ input }) => ({ env: input.env, durationMs: 0 }),
    entry: 'join',
    initial: 'off',
    states: {
      off: { on: { 'pause.begin': { target: 'on', actions: 'noteDuration' } } },
      on: {
        entry: 'tellBegun',
        exit: 'tellOver',
        after: { duration: 'off' },
        on: {
          'turn.ended': { guard: 'isForPersona', target: 'off' },
          'client.text': 'off',
          'client.talk': 'off',
          'client.talkChunk': 'off',
          'client.interrupt': 'off',
          'passthrough.started': 'off',
          'session.ending': 'off',
        },
      },
    },
  });

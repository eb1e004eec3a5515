import { assign, setup } from 'xstate';
import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';

interface Context {
  readonly env: SessionEnvironment;
  readonly durationMs: number;
}

/** `pause_conversation`: the persona stays quiet until the user speaks or writes, or the time is up. */
export const pauseMachine = setup({
  types: {} as { context: Context; events: BusEvent; input: { env: SessionEnvironment } },
  actions: {
    join: ({ context, self }) => context.env.join(self),
    noteDuration: assign({
      durationMs: ({ context, event }) => (event.type === 'pause.begin' ? event.durationMs : context.durationMs),
    }),
    tellBegun: ({ context }) => context.env.tell({ type: 'pause.begun' }),
    tellOver: ({ context }) => context.env.tell({ type: 'pause.over' }),
  },
  delays: { duration: ({ context }) => context.durationMs },
}).createMachine({
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
        'vad.started': 'off',
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

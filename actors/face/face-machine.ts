import { actorSetup, type ActorContext } from '../kernel/actor-setup.ts';

/** An answer is begun in the same instant in which the turn ends; this only has to be later. */
const NO_ANSWER_MS = 50;

/**
 * What the face shows: it speaks while the persona is heard, listens while the user speaks, thinks while an answer is
 * made.
 */
export const faceMachine = actorSetup({ types: {} as { context: ActorContext } })
  .extend({
    actions: {
      show: ({ context }, params: { mood: 'idle' | 'listening' | 'thinking' | 'speaking' }) =>
        context.env.perform({ type: 'face.show', mood: params.mood }),
    },
    delays: { noAnswer: NO_ANSWER_MS },
  })
  .createMachine({
    id: 'face',
    context: ({ input }) => ({ env: input.env }),
    entry: 'join',
    initial: 'waiting',
    on: { 'persona.audible': '.speaking' },
    states: {
      waiting: { on: { 'connection.ready': 'idle' } },
      idle: {
        entry: { type: 'show', params: { mood: 'idle' } },
        on: { 'vad.started': 'listening', 'persona.busy': 'thinking' },
      },
      listening: {
        entry: { type: 'show', params: { mood: 'listening' } },
        on: { 'turn.dropped': 'idle', 'turn.ended': 'heard', 'persona.busy': 'thinking' },
      },
      /** If there is an answer it begins at once. */
      heard: {
        after: { noAnswer: 'idle' },
        on: { 'persona.busy': 'thinking', 'vad.started': 'listening' },
      },
      thinking: {
        entry: { type: 'show', params: { mood: 'thinking' } },
        on: { 'persona.idle': 'idle', 'vad.started': 'listening' },
      },
      speaking: {
        entry: { type: 'show', params: { mood: 'speaking' } },
        on: { 'persona.inaudible': 'afterwards' },
      },
      /** Silent for now: more may come, or the user may be speaking already. */
      afterwards: {
        entry: { type: 'show', params: { mood: 'idle' } },
        on: { 'persona.idle': 'idle', 'vad.started': 'listening', 'persona.audible': 'speaking' },
      },
    },
  });

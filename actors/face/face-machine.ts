import { actorSetup, type ActorContext } from '../kernel/actor-setup.ts';

/** A reply begins at the same time as the turn ends. So any later time will do. */
const NO_ANSWER_MS = 50;

/**
 * The mood of the face: speaking while the persona is heard, listening while the user speaks, thinking while a reply is
 * generated, else idle.
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
      /** If there is a reply, it begins at once. */
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
      /** The persona is silent. It may continue, or the user may speak already. */
      afterwards: {
        entry: { type: 'show', params: { mood: 'idle' } },
        on: { 'persona.idle': 'idle', 'vad.started': 'listening', 'persona.audible': 'speaking' },
      },
    },
  });

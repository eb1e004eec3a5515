import { and, stateIn } from 'xstate';
import { actorSetup, tells, type ActorContext } from '../kernel/actor-setup.ts';

/**
 * Results of tools that came after their reply had been interrupted. Mostly the user only said "okay, thank you" and still
 * waits for the result. So when the persona is idle and the user silent, the LLM is asked once whether to tell it, unless
 * it has answered with the result meanwhile.
 */
export const lateResultsMachine = actorSetup({ types: {} as { context: ActorContext } })
  .extend({
    guards: { nobodySpeaks: and([stateIn({ persona: 'idle' }), stateIn({ user: 'silent' })]) },
    actions: { tellDue: tells({ type: 'tool.lateResultDue' }) },
  })
  .createMachine({
    id: 'lateResults',
    type: 'parallel',
    context: ({ input }) => ({ env: input.env }),
    entry: 'join',
    states: {
      persona: {
        initial: 'idle',
        states: {
          idle: { on: { 'persona.busy': 'busy' } },
          busy: { on: { 'persona.idle': 'idle' } },
        },
      },
      user: {
        initial: 'silent',
        states: {
          silent: { on: { 'floor.taken': 'speaking' } },
          speaking: { on: { 'floor.free': 'silent' } },
        },
      },
      result: {
        initial: 'none',
        states: {
          none: {
            on: {
              'tool.lateResult': 'untold',
              'client.interrupt': 'unwanted',
              'pause.begin': 'unwanted',
              'silence.skip': 'unwanted',
            },
          },
          untold: {
            always: { guard: 'nobodySpeaks', target: 'due', actions: 'tellDue' },
            on: {
              'persona.asksLlm': 'none',
              'client.interrupt': 'unwanted',
              'pause.begin': 'unwanted',
              'silence.skip': 'unwanted',
            },
          },
          /** The LLM is about to be asked. Something else may begin before: then it is due again afterwards. */
          due: {
            on: {
              'persona.asksLlm': 'none',
              'persona.busy': 'untold',
              'floor.taken': 'untold',
              'client.interrupt': 'unwanted',
              'pause.begin': 'unwanted',
              'silence.skip': 'unwanted',
            },
          },
          /** The persona is to be quiet until the user says something. The LLM then knows the result all the same. */
          unwanted: {
            on: { 'turn.ended': 'none', 'client.text': 'none', 'pause.over': 'none' },
          },
        },
      },
    },
  });

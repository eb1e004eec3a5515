import { and, enqueueActions, stateIn } from 'xstate';
import { saysTheSame } from '../floor/user-turn.ts';
import { asRead, bySpeaker } from '../meeting/said.ts';
import { isHostedAgent } from '../settings/hosted-agent.ts';
import { takeTurnIndex } from './current-turn.ts';
import { personaTurnsBase } from './persona-turns-base.ts';
import { wantsAnswer } from './turn-queue.ts';
import { publishHeard } from './user-message.ts';

/**
 * Preemptive generation: the LLM is asked as soon as the user seems to have finished (`turn.likelyOver`), while the
 * wait for the end of the turn still runs. Its output is kept in `preemptive-output.ts`. If the turn ends with these
 * words, the output becomes the answer. If the user continues or says something else, it is dropped.
 */
export const preemptiveGeneration = personaTurnsBase.extend({
  guards: {
    /** Only if nothing else is in progress or waits, and the persona will answer these words. */
    canGeneratePreemptively: and([
      stateIn({ work: 'idle', link: 'live' }),
      ({ context, event }) =>
        event.type === 'turn.likelyOver' &&
        context.uninterruptibles === 0 &&
        context.turnQueue.length === 0 &&
        // An agent begins by itself.
        !isHostedAgent(context.env.config) &&
        wantsAnswer(context.env, event) === 'answer',
    ]),
    /**
     * The user's turn has the words for which it was generated, and nothing else has happened: no context of the
     * application, no result of a tool.
     */
    isPreemptiveForThis: and([
      stateIn({ work: 'idle' }),
      ({ context, event }) =>
        event.type === 'turn.ended' &&
        context.preemptive !== null &&
        context.turnQueue.length === 0 &&
        context.preemptive.history === context.env.memory.history &&
        saysTheSame(context.preemptive.text, asRead(event.turn)) &&
        wantsAnswer(context.env, event.turn) === 'answer',
    ]),
  },
  actions: {
    generatePreemptively: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'turn.likelyOver') return;
      const { env } = context;
      const input = {
        env,
        kind: 'answer' as const,
        correlationId: event.correlationId,
        userActionAt: env.now(),
        turnIndex: env.memory.nextTurnIndex,
        instruction: null,
        tentative: bySpeaker(event),
        userText: null,
        marks: null,
        open: false,
      };
      enqueue.assign({
        preemptive: ({ spawn }) => ({
          text: asRead(event),
          history: env.memory.history,
          ref: spawn('reply', { id: `turn-${context.spawned}`, input }),
        }),
        spawned: context.spawned + 1,
      });
    }),
    cancelPreemptive: enqueueActions(({ context, enqueue }) => {
      if (context.preemptive !== null) enqueue.sendTo(context.preemptive.ref, { type: 'turn.cancel' });
      enqueue.assign({ preemptive: null });
    }),
    /** The preemptive reply becomes the current one, and may speak. */
    confirmPreemptive: enqueueActions(({ context, event, enqueue }) => {
      const { env, preemptive } = context;
      if (event.type !== 'turn.ended' || preemptive === null) return;
      publishHeard(env, { kind: 'heard', source: { by: 'voice', turn: event.turn }, at: env.now(), wants: 'answer' });
      takeTurnIndex(env, 'answer');
      enqueue.assign({
        preemptive: null,
        current: {
          kind: 'answer',
          guarded: 'no',
          correlationId: event.turn.correlationId,
          userActionAt: event.turn.startedAt,
          ref: preemptive.ref,
        },
      });
      enqueue.sendTo(preemptive.ref, { type: 'turn.confirm', userText: asRead(event.turn), marks: event.turn });
    }),
  },
});

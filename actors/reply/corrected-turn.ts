import { and, assign } from 'xstate';
import { changesMeaning } from '../floor/late-words.ts';
import type { UserTurn } from '../kernel/inner-events.ts';
import type { PersonaTurnsContext } from './persona-turns-base.ts';
import { correctPublished, publishedTurn } from './published-turns.ts';
import { talkFeed } from './talk-feed.ts';
import { enterHeard, wantsAnswer, type TurnQueueItem } from './turn-queue.ts';

/**
 * Words of the user that came after the turn was decided without them. Before the answer is heard, it is begun anew with
 * the whole sentence. After that the persona stops for them if they change what was said; else they are only mended.
 */
export const correctedTurn = talkFeed.extend({
  guards: {
    isStillWaiting: ({ context, event }) =>
      event.type === 'turn.corrected' && context.turnQueue.some((item) => isOf(item, event.turn.correlationId)),
    isAnswerUnheard: and([
      ({ context }) => context.uninterruptibles === 0,
      ({ context: { env, current, audible }, event }) => {
        if (event.type !== 'turn.corrected' || current.kind !== 'answer') return false;
        const published = publishedTurn(env, event.turn.correlationId);
        if (published === undefined || current.correlationId !== event.turn.correlationId) return false;
        return audible === null || audible.to <= published.publishedAt;
      },
    ]),
    saysSomethingElse: ({ event }) =>
      event.type === 'turn.corrected' && changesMeaning(event.decidedOn, event.turn.text, event.turn.language),
  },
  actions: {
    correctWaiting: assign({
      turnQueue: ({ context: { turnQueue }, event }) =>
        event.type !== 'turn.corrected'
          ? turnQueue
          : turnQueue.map((item) =>
              isOf(item, event.turn.correlationId)
                ? { ...item, source: { by: 'voice' as const, turn: event.turn } }
                : item,
            ),
    }),
    enterCorrected: assign({
      turnQueue: ({ context, event }) =>
        event.type !== 'turn.corrected'
          ? context.turnQueue
          : enterTurn(context, { ...event.turn, corrects: event.turn.correlationId }),
    }),
    enterAnew: assign({
      turnQueue: ({ context, event }) =>
        event.type !== 'turn.corrected' ? context.turnQueue : enterTurn(context, event.turn),
    }),
    correctPublished: ({ context: { env }, event }) => {
      if (event.type === 'turn.corrected') correctPublished(env, event.turn.correlationId, event.turn);
    },
  },
});

function isOf(item: TurnQueueItem, correlationId: string): boolean {
  return item.kind === 'heard' && item.source.by === 'voice' && item.source.turn.correlationId === correlationId;
}

/** With an id of its own: what belongs to the old answer (its tools, its report) keeps the old one. */
function enterTurn({ env, turnQueue }: PersonaTurnsContext, turn: UserTurn): readonly TurnQueueItem[] {
  return enterHeard(turnQueue, {
    kind: 'heard',
    source: { by: 'voice', turn: { ...turn, correlationId: env.ids.uuid() } },
    at: env.now(),
    wants: wantsAnswer(env, turn),
  });
}

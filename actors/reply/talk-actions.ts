import { assign, enqueueActions, sendParent, sendTo, spawnChild } from 'xstate';
import type { TurnRecord } from '../report.ts';
import { mark } from '../report-builder/turn-timings.ts';
import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { TalkPiece } from '../talk-stream/talk-queue.ts';
import type { ReplyText } from '../text/reply-text.ts';
import { closeReply, markSpeech } from './close-reply.ts';
import { deliveryMachine } from './delivery-machine.ts';
import type { DeliveryGaveUp } from './delivery-actions.ts';
import { nextSegments, segmentsOf, type GivenText } from './given-text.ts';
import { deliveryControl, type DeliveryDone, type TurnControl, type TurnEvent, type TurnLeft } from './reply-events.ts';
import { STREAM_PAUSE_MS } from './stream-pause.ts';
import { NO_EFFECT } from './tool-call.ts';
import { actorSetup, type ActorContext } from '../kernel/actor-setup.ts';

export interface TalkInput {
  readonly env: SessionEnvironment;
  readonly correlationId: string;
  readonly turnIndex: number;
  /** Whether it is a stream of the client. Its id is then in the captions. */
  readonly isStream: boolean;
  readonly open: boolean;
}

export type TalkEvent =
  | TurnEvent
  | DeliveryDone
  | { readonly type: 'talk.pieces'; readonly pieces: readonly TalkPiece[] }
  | { readonly type: 'talk.complete' }
  | DeliveryGaveUp
  | { readonly type: 'talk.paused' }
  | { readonly type: 'talk.more' };

interface Context extends ActorContext {
  readonly input: TalkInput;
  readonly messageId: string;
  readonly text: ReplyText;
  readonly given: GivenText;
  readonly record: TurnRecord;
  /** 0: it was interrupted before all of its text was there. */
  readonly unfinished: 0 | null;
}

/** Time between two searches, if a search finds nothing to say. */
const LOOK_ON_MS = 10;

/** The meaning of the names in the table of `talk-machine.ts`. */
export const talkSetup = actorSetup({
  types: {} as { context: Context; events: TalkEvent; input: TalkInput },
  actors: { delivery: deliveryMachine },
}).extend({
  guards: {
    isAllCut: ({ context }) => context.given.pieces.length === 0,
  },
  actions: {
    openDelivery: spawnChild('delivery', {
      id: 'delivery',
      input: ({ context: { env, input, messageId } }: { context: Context }) => ({
        env,
        messageId,
        correlationId: input.correlationId,
        isTalk: input.isStream,
        language: env.memory.spokenLanguage,
        open: input.open,
      }),
    }),
    takePieces: assign({
      given: ({ context: { given }, event }) =>
        event.type === 'talk.pieces' ? { ...given, pieces: [...given.pieces, ...event.pieces] } : given,
      record: ({ context: { record, env } }) => mark(record, 'synthesisStartedAt', env.now()),
    }),
    /** Each segment that begins or fails makes room for at least one more. */
    feed: enqueueActions(({ context, enqueue }, params: { enough: number }) => {
      if (context.given.pieces.length === 0) return;
      const { given, segments } = nextSegments(context.given, context.text, params.enough, () =>
        context.env.ids.uuid(),
      );
      enqueue.assign({ given });
      if (segments.length > 0) enqueue.sendTo('delivery', { type: 'delivery.say', segments });
      enqueue.cancel('next');
      if (given.pieces.length === 0) enqueue.raise({ type: 'talk.paused' }, { id: 'next', delay: STREAM_PAUSE_MS });
      else if (segments.length === 0) enqueue.raise({ type: 'talk.more' }, { id: 'next', delay: LOOK_ON_MS });
    }),
    settle: enqueueActions(({ context: { text, given, env }, enqueue }) => {
      enqueue.sendTo('delivery', {
        type: 'delivery.say',
        segments: segmentsOf(text.settle(), given.utteranceId, () => env.ids.uuid()),
      });
    }),
    sayRest: enqueueActions(({ context: { text, given, env }, enqueue }) => {
      enqueue.sendTo('delivery', {
        type: 'delivery.say',
        segments: segmentsOf(text.end(), given.utteranceId, () => env.ids.uuid()),
      });
    }),
    completeDelivery: sendTo('delivery', { type: 'delivery.complete' }),
    forwardControl: enqueueActions(({ event, enqueue }) => {
      const told = deliveryControl(event as TurnControl);
      if (told !== null) enqueue.sendTo('delivery', told);
    }),
    noteUnfinished: assign({ unfinished: 0 }),
    abortDelivery: sendTo('delivery', { type: 'delivery.abort' }),
    noteSpeech: assign({
      record: ({ context, event }) => markSpeech(context.record, event as BusEvent, context.env.now()),
    }),
    close: ({ context, event }) =>
      closeReply(
        context.env,
        { record: context.record, userText: null, unfinished: context.unfinished, spokenAs: 'answer' },
        (event as DeliveryDone).output,
      ),
    tellLeft: sendParent(({ event }): TurnLeft => ({
      type: 'turn.left',
      effect: NO_EFFECT,
      interrupted: (event as DeliveryDone).output.interrupted,
    })),
  },
});

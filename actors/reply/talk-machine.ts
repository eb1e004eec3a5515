import { assign, enqueueActions, sendParent, sendTo, setup, spawnChild } from 'xstate';
import type { TurnRecord } from '../report.ts';
import { mark, openTurn } from '../report-builder/turn-timings.ts';
import type { BusEvent } from '../session/inner-events.ts';
import type { SessionEnvironment } from '../session/environment.ts';
import type { TalkPiece } from '../talk-stream/talk-queue.ts';
import { ReplyText, type ReplyTextOutput } from '../text/reply-text.ts';
import { closeReply, markSpeech } from './close-reply.ts';
import { deliveryMachine, type DeliveryEvent } from './delivery-machine.ts';
import { deliveryControl, type DeliveryDone, type TurnControl, type TurnEvent, type TurnLeft } from './reply-events.ts';
import { NO_EFFECT, type CallEffect } from './tool-call.ts';

export interface TalkInput {
  readonly env: SessionEnvironment;
  readonly correlationId: string;
  readonly turnIndex: number;
  /** A stream of the client, which hears of its own id again. False for the service's own sentences. */
  readonly isStream: boolean;
  readonly open: boolean;
  /** What follows once it was heard. */
  readonly effect: CallEffect;
}

export type TalkEvent =
  | TurnEvent
  | DeliveryDone
  | { readonly type: 'talk.pieces'; readonly pieces: readonly TalkPiece[] }
  | { readonly type: 'talk.complete' };

interface Context {
  readonly env: SessionEnvironment;
  readonly input: TalkInput;
  readonly messageId: string;
  readonly text: ReplyText;
  readonly utteranceId: string | null;
  readonly record: TurnRecord;
}

/**
 * A client that sends nothing for this long has paused: a sentence that seems whole is spoken then, without waiting for
 * the text behind it to prove that it is one. Longer than the gaps between the tokens of a model.
 */
const STREAM_PAUSE_MS = 250;

/** Text that is given, not thought: a fixed greeting, a talk command or stream, the goodbye. Spoken sentence by sentence as it comes. */
export const talkMachine = setup({
  types: {} as { context: Context; events: TalkEvent; input: TalkInput },
  actors: { delivery: deliveryMachine },
  actions: {
    join: ({ context, self }) => context.env.join(self),
    openDelivery: spawnChild('delivery', {
      id: 'delivery',
      input: ({ context: { env, input, messageId } }) => ({
        env,
        messageId,
        correlationId: input.correlationId,
        isTalk: input.isStream,
        language: env.memory.spokenLanguage ?? 'en',
        open: input.open,
      }),
    }),
    takePieces: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'talk.pieces') return;
      let { utteranceId } = context;
      for (const piece of event.pieces) {
        // An utterance ends where the next one begins, also in mid-sentence.
        const before = piece.startsUtterance ? context.text.end() : [];
        for (const told of segments(context, before, utteranceId)) enqueue.sendTo('delivery', told);
        utteranceId = piece.utteranceId;
        for (const told of segments(context, context.text.push(piece.text), utteranceId))
          enqueue.sendTo('delivery', told);
      }
      enqueue.assign({ utteranceId, record: mark(context.record, 'synthesisStartedAt', context.env.now()) });
    }),
    settle: enqueueActions(({ context, enqueue }) => {
      for (const told of segments(context, context.text.settle(), context.utteranceId))
        enqueue.sendTo('delivery', told);
    }),
    complete: enqueueActions(({ context, enqueue }) => {
      for (const told of segments(context, context.text.end(), context.utteranceId)) enqueue.sendTo('delivery', told);
      enqueue.sendTo('delivery', { type: 'delivery.complete' });
    }),
    forwardControl: enqueueActions(({ event, enqueue }) => {
      const told = deliveryControl(event as TurnControl);
      if (told !== null) enqueue.sendTo('delivery', told);
    }),
    abortDelivery: sendTo('delivery', { type: 'delivery.abort' } satisfies DeliveryEvent),
    noteSpeech: assign({
      record: ({ context, event }) => markSpeech(context.record, event as BusEvent, context.env.now()),
    }),
    close: ({ context, event }) =>
      closeReply(context.env, { record: context.record, userText: null }, (event as DeliveryDone).output),
    tellLeft: sendParent(({ context, event }): TurnLeft => ({
      type: 'turn.left',
      effect: (event as DeliveryDone).output.interrupted ? NO_EFFECT : context.input.effect,
    })),
  },
  delays: { streamPause: STREAM_PAUSE_MS },
}).createMachine({
  id: 'talk',
  context: ({ input }) => ({
    env: input.env,
    input,
    messageId: input.env.ids.uuid(),
    utteranceId: null,
    record: openTurn(input.turnIndex, input.correlationId),
    text: new ReplyText({ language: input.env.memory.spokenLanguage }),
  }),
  entry: ['join', 'openDelivery'],
  initial: 'coming',
  on: {
    'turn.open': { actions: 'forwardControl' },
    'turn.shut': { actions: 'forwardControl' },
    'turn.suspend': { actions: 'forwardControl' },
    'turn.interrupt': { actions: 'abortDelivery' },
    'speech.firstAudio': { actions: 'noteSpeech' },
    'speech.timing': { actions: 'noteSpeech' },
    'speech.started': { actions: 'noteSpeech' },
    'speech.finished': { actions: 'noteSpeech' },
    'xstate.done.actor.delivery': { target: '.over', actions: ['close', 'tellLeft'] },
  },
  states: {
    coming: {
      after: { streamPause: { actions: 'settle' } },
      on: {
        'talk.pieces': { target: 'coming', reenter: true, actions: 'takePieces' },
        'talk.complete': { target: 'complete', actions: 'complete' },
      },
    },
    complete: {},
    over: { type: 'final' },
  },
});

function segments({ env }: Context, outputs: readonly ReplyTextOutput[], utteranceId: string | null): DeliveryEvent[] {
  return outputs.flatMap((output): DeliveryEvent[] =>
    output.kind === 'segment'
      ? [
          {
            type: 'delivery.say',
            segment: {
              segmentId: env.ids.uuid(),
              text: output.text,
              lead: output.lead,
              step: 0,
              utteranceId,
              cue: output.cues.at(-1)?.tag ?? null,
            },
          },
        ]
      : [],
  );
}

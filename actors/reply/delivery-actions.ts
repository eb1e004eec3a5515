import { and, assign, cancel, enqueueActions, not, sendParent, stateIn } from 'xstate';
import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { cut, failed, finished, resumed, started, timed } from '../history/spoken-ledger.ts';
import { endsWithQuestion } from '../history/conversation-history.ts';
import {
  giveOut,
  giveUp,
  isOutstanding,
  isPlaying,
  lastChunk,
  lastHeard,
  queueSegments,
  takeBack,
  takeUnsaid,
  withoutUnheard,
  type PersonaMessage,
  type Segment,
  type SpokenStep,
} from './persona-message.ts';
import { actorSetup, performs, type ActorContext } from '../kernel/actor-setup.ts';

/** The engine answers a cut within milliseconds. After this time, the place of the cut is estimated. */
const CUT_ANSWER_MS = 300;
/** A segment that was sent to TTS and did not begin by then will not begin. Providers give up after 15 s. */
const VOICE_STALLED_MS = 30_000;
/** After so many failed segments in a row, the rest of the message is given up. */
const FAILURES_TO_GIVE_UP = 3;

export type DeliveryEvent =
  | BusEvent
  | { readonly type: 'delivery.say'; readonly segments: readonly Segment[] }
  /** No more text comes. */
  | { readonly type: 'delivery.complete' }
  /** The floor is free for the persona, or not. */
  | { readonly type: 'delivery.open' }
  | { readonly type: 'delivery.shut' }
  /** Stop for now: it may be a false interruption. */
  | { readonly type: 'delivery.suspend' }
  /** Stop for good. */
  | { readonly type: 'delivery.abort' }
  /** Drop everything that was not heard yet. */
  | { readonly type: 'delivery.retract' }
  | { readonly type: 'delivery.captionDue' }
  | { readonly type: 'delivery.stalled' };

/** Tells the reply that TTS fails, so the LLM need not go on. Text that comes all the same is tried. */
export interface DeliveryGaveUp {
  readonly type: 'delivery.gaveUp';
}

export interface Delivered {
  readonly messageId: string;
  readonly steps: readonly SpokenStep[];
  readonly interrupted: boolean;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

export interface DeliveryInput {
  readonly env: SessionEnvironment;
  readonly messageId: string;
  readonly correlationId: string;
  readonly isTalk: boolean;
  readonly language: string | null;
  readonly open: boolean;
}

interface Context extends ActorContext {
  readonly message: PersonaMessage;
  /**
   * Audio that was sent later than this has not arrived, ms on the session's clock. Null: all has arrived. Set when
   * the speech is stopped.
   */
  readonly arrivedUpTo: number | null;
  readonly interrupted: boolean;
  /** What the other actors were told: `persona.audible` or `persona.inaudible`. */
  readonly audible: 'yes' | 'no';
  readonly warned: 'yes' | 'no';
  /** Failed segments since the last one that was spoken. */
  readonly failures: number;
  readonly startsOpen: boolean;
}

/** The meaning of the names in the table of `delivery-machine.ts`. */
export const deliverySetup = actorSetup({
  types: {} as { context: Context; events: DeliveryEvent; input: DeliveryInput; output: Delivered },
}).extend({
  guards: {
    isMine: ({ context, event }) =>
      'segmentId' in event && event.segmentId !== null && context.message.about[event.segmentId] !== undefined,
    isLastFailure: and(['isMine', ({ context }) => context.failures + 1 >= FAILURES_TO_GIVE_UP]),
    nothingOutstanding: ({ context }) => !isOutstanding(context.message),
    isHeard: ({ context }) => isPlaying(context.message),
    startsOpen: ({ context }) => context.startsOpen,
    isPermitted: stateIn({ alive: { permission: 'granted' } }),
    wouldTalkOver: and([
      stateIn({ alive: { permission: 'withheld' } }),
      ({ context }) => !isOutstanding(context.message),
    ]),
    isDelivered: and([
      stateIn({ alive: { text: 'complete' } }),
      not(stateIn({ alive: { audio: 'stopping' } })),
      // While audio may not have arrived, the message is not over.
      ({ context: { env, message } }) =>
        env.memory.arrivedUpTo === null && message.unsaid.length === 0 && !isOutstanding(message),
    ]),
  },
  actions: {
    queue: assign({
      message: ({ context, event }) =>
        event.type === 'delivery.say' ? queueSegments(context.message, event.segments) : context.message,
    }),
    sayUnsaid: enqueueActions(({ context: { env, message }, enqueue }) => {
      const taken = takeUnsaid(message);
      // Words that do not tell their language are said in the one of the words before.
      const language = message.language ?? env.memory.guessedLanguage ?? 'en';
      env.memory.guessedLanguage = message.language ?? env.memory.guessedLanguage;
      for (const { segmentId, text, spoken } of taken.said)
        env.perform({ type: 'speech.say', segmentId, text, language, pauseMs: 0, ...(spoken && { spoken }) });
      enqueue.assign({ message: taken.message });
    }),
    noteSpeech: assign({
      message: ({ context: { message, env }, event }) => {
        switch (event.type) {
          case 'speech.started':
            return {
              ...message,
              ledger: started(message.ledger, event.segmentId, env.now()),
              startedAt: message.startedAt ?? env.now(),
            };
          case 'speech.resumed':
            return { ...message, ledger: resumed(message.ledger, event.segmentId, env.now(), event.positionMs) };
          case 'speech.timing':
            return { ...message, ledger: timed(message.ledger, event) };
          case 'speech.finished':
            return { ...message, ledger: finished(message.ledger, event.segmentId, env.now()), endedAt: env.now() };
          case 'speech.failed':
            return { ...message, ledger: failed(message.ledger, event.segmentId, env.now()) };
          default:
            return message;
        }
      },
    }),
    countFailures: assign({
      failures: ({ context, event }) => (event.type === 'speech.failed' ? context.failures + 1 : 0),
    }),
    tellCue: ({ context: { env, message }, event }) => {
      const tag = event.type === 'speech.started' ? message.about[event.segmentId]?.cue : null;
      if (tag != null) env.tell({ type: 'persona.cue', tag });
    },
    warnOnce: enqueueActions(({ context: { env, warned }, event, enqueue }) => {
      if (warned === 'yes' || event.type !== 'speech.failed') return;
      env.perform({
        type: 'signal.warning',
        code: 'speech_synthesis_failed',
        text: `Speech synthesis failed: ${event.message}`,
      });
      enqueue.assign({ warned: 'yes' });
    }),
    /**
     * Sends captions in time with the audio, none while the audio may not arrive, and tells if the persona is heard.
     */
    follow: enqueueActions(({ context: { env, message, audible, interrupted }, enqueue }) => {
      const mayNotArrive = env.memory.arrivedUpTo !== null && !interrupted;
      const given = mayNotArrive
        ? { message, chunks: [], nextAt: null }
        : giveOut(message, env.now(), env.iso(env.now()), env.memory.cue);
      for (const data of given.chunks)
        env.perform({ type: 'message.send', message: { messageType: 'speechText', data } });
      enqueue.assign({ message: given.message });
      enqueue.cancel('caption');
      if (given.nextAt !== null)
        enqueue.raise({ type: 'delivery.captionDue' }, { id: 'caption', delay: given.nextAt - env.now() });
      enqueue.cancel('stalled');
      if (isOutstanding(given.message))
        enqueue.raise({ type: 'delivery.stalled' }, { id: 'stalled', delay: VOICE_STALLED_MS });
      // In the gap between two segments, the persona counts as speaking.
      const heard = isPlaying(given.message) || (audible === 'yes' && isOutstanding(given.message));
      if (heard && audible === 'no') {
        env.tell({ type: 'persona.audible' });
        enqueue.assign({ audible: 'yes' });
      } else if (!heard && audible === 'yes') {
        env.tell({ type: 'persona.inaudible', askedQuestion: endsWithQuestion(lastHeard(given.message)) });
        enqueue.assign({ audible: 'no' });
      }
    }),
    cutVoice: performs({ type: 'speech.cut' }),
    noteStop: assign({ arrivedUpTo: ({ context }) => context.env.memory.arrivedUpTo }),
    noteAbort: assign({ interrupted: true, arrivedUpTo: ({ context }) => context.env.memory.arrivedUpTo }),
    /** Nothing plays. But the end of the last audio may not have arrived. */
    noteLost: assign({
      message: ({ context }) => (context.arrivedUpTo === null ? context.message : cutMessage(context, null, 0)),
    }),
    noteCut: assign({
      message: ({ context, event }) =>
        event.type === 'speech.cut' ? cutMessage(context, event.segmentId, event.playedMs) : context.message,
    }),
    estimateCut: assign({
      message: ({ context }) => {
        const playing = context.message.ledger.segments.find((segment) => segment.state.kind === 'playing');
        const playedMs =
          playing?.state.kind === 'playing' ? context.env.now() - playing.state.startedAt - CUT_ANSWER_MS : 0;
        return cutMessage(context, playing?.segmentId ?? null, Math.max(0, playedMs));
      },
    }),
    takeBack: assign({ message: ({ context: { message, env } }) => takeBack(message, () => env.ids.uuid()) }),
    /** The text proved to be reasoning: what was not heard is dropped. */
    forget: assign({
      // A guess was made from the reasoning that is dropped.
      message: ({ context: { message, env } }) => ({ ...withoutUnheard(message), language: env.memory.spokenLanguage }),
    }),
    giveUp: assign({ message: ({ context: { message, env } }) => giveUp(message, env.now()), failures: 0 }),
    logGaveUp: ({ context: { env }, event }) =>
      env.log('voice_gave_up', { after: event.type === 'speech.failed' ? 'failures' : 'silence' }),
    tellGaveUp: sendParent({ type: 'delivery.gaveUp' } satisfies DeliveryGaveUp),
    stopFollowing: cancel('caption'),
    sendLast: ({ context: { env, message, interrupted } }) => {
      const data = lastChunk(message, interrupted, env.iso(env.now()));
      if (data !== null) env.perform({ type: 'message.send', message: { messageType: 'speechText', data } });
    },
  },
  delays: { cutAnswer: CUT_ANSWER_MS },
});

/** Notes in the ledger where the speech was cut. */
function cutMessage(
  { message, env, arrivedUpTo }: Context,
  segmentId: string | null,
  playedMs: number,
): PersonaMessage {
  return {
    ...message,
    endedAt: Math.min(env.now(), arrivedUpTo ?? env.now()),
    ledger: cut(message.ledger, segmentId, playedMs, arrivedUpTo),
  };
}

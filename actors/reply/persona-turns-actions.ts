import { and, assign, enqueueActions, or, stateIn } from 'xstate';
import { greetingOf } from '../greeting/greeting-rules.ts';
import { standardSentence } from '../phrases/phrases.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { BusEvent } from '../kernel/inner-events.ts';
import { finishFront, frontStream } from '../talk-stream/talk-queue.ts';
import { isGuarded, NO_TURN, replyInput, takeTurnIndex } from './current-turn.ts';
import type { TurnControl } from './reply-events.ts';
import { correctedTurn } from './corrected-turn.ts';
import { hasTalk } from './talk-feed.ts';
import { NO_EFFECT } from './tool-call.ts';
import {
  awaitsAnswer,
  enterGoodbye,
  enterHeard,
  heardItems,
  nextUp,
  wantsAnswer,
  withoutSpeech,
  type TurnQueueItem,
} from './turn-queue.ts';
import { countUninterruptible } from '../floor/uninterruptible.ts';
import { publishHeard } from './user-message.ts';
import { withdrawEffect } from './withdraw-effect.ts';

/** The meaning of the names in the table of `persona-turns-machine.ts`. */
export const personaTurnsSetup = correctedTurn.extend({
  guards: {
    hasWork: and([
      stateIn({ link: 'live' }),
      ({ context }) => context.turnQueue.length > 0 || hasTalk(context.talk),
      or(['isFloorFree', 'isNoGoodbyeNext']),
    ]),
    /** The goodbye ends the call: it does not begin while the user speaks. */
    isNoGoodbyeNext: ({ context }) => context.turnQueue.every(({ kind }) => kind !== 'goodbye'),
    isLastUninterruptible: ({ context }) => context.uninterruptibles <= 1,
    isInterruptible: ({ context }) => context.uninterruptibles === 0,
    isAtSomething: ({ context }) => context.current.kind !== 'none',
    isFloorFree: stateIn({ floor: 'free' }),
    isLive: stateIn({ link: 'live' }),
    /** By the client's network. Where the service broke off itself, the speech goes on. */
    wasCutOff: ({ context: { env, audible }, event }) =>
      event.type === 'connection.held' &&
      event.by === 'client' &&
      env.memory.arrivedUpTo !== null &&
      audible !== null &&
      audible.from < env.memory.arrivedUpTo &&
      audible.to > env.memory.arrivedUpTo,
    isIdle: stateIn({ work: 'idle' }),
    /** In a meeting, as soon as there is somebody to be greeted. */
    isGreetingTime: ({ context: { env } }) => env.config.meeting === null || env.memory.meeting.others.length > 0,
  },
  actions: {
    countUninterruptible: assign({
      uninterruptibles: ({ context, event }) => countUninterruptible(context.uninterruptibles, event as BusEvent),
    }),
    enterGreeting: assign({
      turnQueue: ({ context: { env, turnQueue } }): readonly TurnQueueItem[] => {
        const greeting = greetingOf(env.config);
        if (greeting.kind === 'none') return turnQueue;
        return [
          ...turnQueue,
          greeting.kind === 'fixed' ? { kind: 'greeting', text: greeting.text } : { kind: 'greet' },
        ];
      },
    }),
    enterAsk: assign({
      turnQueue: (
        { context: { turnQueue } },
        { kind }: { kind: 'prompt' | 'result' | 'own' },
      ): readonly TurnQueueItem[] => (turnQueue.length === 0 ? [{ kind }] : turnQueue),
    }),
    enterTurn: assign({
      turnQueue: ({ context: { env, turnQueue }, event }) =>
        event.type === 'turn.ended'
          ? enterHeard(turnQueue, {
              kind: 'heard',
              source: { by: 'voice', turn: event.turn },
              at: env.now(),
              wants: wantsAnswer(env, event.turn),
            })
          : turnQueue,
    }),
    enterText: assign({
      turnQueue: ({ context: { env, turnQueue }, event }) =>
        event.type === 'client.text'
          ? enterHeard(turnQueue, {
              kind: 'heard',
              source: { by: 'keyboard', text: event.content, correlationId: env.ids.uuid() },
              at: env.now(),
              // Nobody types to the others.
              wants: env.config.llm.kind === 'client' ? 'nothing' : 'answer',
            })
          : turnQueue,
    }),
    /** Who speaks in the last moment before the goodbye still wants to talk: the LLM is told that the call goes on. */
    withdrawGoodbye: ({ context: { env, turnQueue }, event }) => {
      const isAnswered =
        event.type === 'client.text'
          ? env.config.llm.kind !== 'client'
          : event.type === 'turn.ended' && wantsAnswer(env, event.turn) === 'answer';
      const goodbye = turnQueue.find((item) => item.kind === 'goodbye');
      if (isAnswered && goodbye !== undefined) withdrawEffect(env, { kind: 'end-call', callId: goodbye.callId });
    },
    forgetSpeech: assign({ turnQueue: ({ context }) => withoutSpeech(context.turnQueue) }),
    /** What the user said during the goodbye is not answered any more, but it was said. */
    publishWaiting: ({ context: { env, turnQueue } }) => {
      for (const heard of heardItems(turnQueue)) publishHeard(env, heard);
    },
    forgetAll: assign({ turnQueue: [] }),
    startNext: enqueueActions(({ context, enqueue }, params: { open: boolean }) => {
      const { env } = context;
      const next = nextUp(context.turnQueue);
      for (const heard of next.heard) publishHeard(env, heard);
      enqueue.assign({ turnQueue: next.rest });
      const id = `turn-${context.spawned}`;
      const { item } = next;
      enqueue.assign({ spawned: context.spawned + 1 });
      if (item === null) {
        const front = frontStream(context.talk);
        if (next.heard.length > 0 || front === null || !hasTalk(context.talk))
          return enqueue.raise({ type: 'turnQueue.done' });
        const input = {
          env,
          correlationId: front.correlationId,
          turnIndex: takeTurnIndex(env, 'talk'),
          isStream: true,
          open: params.open,
        };
        return enqueue.assign({
          current: ({ spawn }) => ({
            kind: 'talk',
            guarded: 'no',
            ...aboutTurn(input),
            ref: spawn('talk', { id, input }),
          }),
        });
      }
      if (item.kind === 'greeting' || item.kind === 'goodbye') {
        const guarded = isGuarded(env, item.kind);
        const input = {
          env,
          correlationId: env.ids.uuid(),
          turnIndex: takeTurnIndex(env, item.kind),
          isStream: false,
          open: params.open || guarded === 'yes',
        };
        enqueue.assign({
          current: ({ spawn }) => ({
            kind: item.kind,
            guarded,
            ...aboutTurn(input),
            ref: spawn('talk', { id, input }),
          }),
        });
        // Given text is complete from the start.
        enqueue.sendTo(id, {
          type: 'talk.pieces',
          pieces: [{ text: item.text, utteranceId: null, startsUtterance: false }],
        });
        return enqueue.sendTo(id, { type: 'talk.complete' });
      }
      const kind = item.kind === 'heard' ? 'answer' : item.kind;
      const guarded = isGuarded(env, kind);
      const input = replyInput(env, item, params.open || guarded === 'yes');
      enqueue.assign({
        current: ({ spawn }) => ({ kind, guarded, ...aboutTurn(input), ref: spawn('reply', { id, input }) }),
      });
    }),
    tellBegun: ({ context: { env, current } }) => {
      env.tell({ type: 'persona.busy' });
      if (current.kind === 'none') return;
      env.tell({ type: 'persona.turnBegun', correlationId: current.correlationId, userActionAt: current.userActionAt });
      if (current.guarded === 'yes') env.tell({ type: 'persona.uninterruptible' });
    },
    control: enqueueActions(({ context, enqueue }, params: { control: TurnControl }) => {
      if (context.current.kind !== 'none') enqueue.sendTo(context.current.ref, params.control);
    }),
    noteAudible: assign({ audible: ({ context }) => ({ from: context.env.now(), to: Number.POSITIVE_INFINITY }) }),
    noteInaudible: assign({
      audible: ({ context }) => context.audible && { ...context.audible, to: context.env.now() },
    }),
    cutPassthrough: ({ context }) => context.env.perform({ type: 'speech.cut' }),
    leave: enqueueActions(({ context, event, enqueue }) => {
      const { env, current, turnQueue } = context;
      if (current.kind === 'none' || event.type !== 'turn.left') return;
      if (current.guarded === 'yes') env.tell({ type: 'persona.interruptible' });
      if (current.kind === 'talk') enqueue.assign({ talk: finishFront(context.talk) });
      // Only the goodbye itself is uninterruptible. Whoever speaks before it still wants to talk.
      const effect = event.interrupted || awaitsAnswer(turnQueue) ? NO_EFFECT : event.effect;
      if (effect !== event.effect) withdrawEffect(env, event.effect);
      if (current.kind === 'goodbye') env.tell({ type: 'session.end', reason: 'end_call' });
      else if (effect.kind === 'end-call')
        enqueue.assign({
          turnQueue: enterGoodbye(turnQueue, standardSentence('goodbye', env.memory.spokenLanguage), effect.callId),
        });
      else if (effect.kind === 'pause') env.tell({ type: 'pause.begin', durationMs: effect.durationMs });
      enqueue.assign({ current: NO_TURN });
      const talk = current.kind === 'talk' ? finishFront(context.talk) : context.talk;
      const saidAll = !event.interrupted && effect.kind === 'none' && turnQueue.length === 0 && !hasTalk(talk);
      env.tell({ type: 'persona.idle', counts: current.kind !== 'prompt', saidAll });
    }),
    tellSettled: ({ context }) => context.env.tell({ type: 'session.settled' }),
    tellAudible: ({ context: { env } }) => {
      env.tell({ type: 'persona.busy' });
      env.tell({ type: 'persona.audible' });
    },
    tellInaudible: ({ context: { env } }) => {
      env.tell({ type: 'persona.inaudible', askedQuestion: false });
      env.tell({ type: 'persona.idle', counts: true, saidAll: true });
    },
  },
});

function aboutTurn(input: {
  readonly env: SessionEnvironment;
  readonly correlationId: string;
  readonly userActionAt?: number;
}) {
  return { correlationId: input.correlationId, userActionAt: input.userActionAt ?? input.env.now() };
}

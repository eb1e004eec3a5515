import { and, assign, enqueueActions, not, setup, stateIn, type ActorRefFrom } from 'xstate';
import { canAct } from '../director-cues/director-cue.ts';
import { saysTheSame } from '../floor/user-turn.ts';
import { greetingOf } from '../greeting/greeting-rules.ts';
import { standardSentence } from '../phrases/phrases.ts';
import type { BusEvent } from '../session/inner-events.ts';
import type { SessionEnvironment } from '../session/environment.ts';
import {
  acceptChunk,
  acceptTalk,
  closeIdle,
  cutShort,
  dropAll,
  EMPTY_TALK_QUEUE,
  finishFront,
  frontStream,
  nextIdleAt,
  takePieces,
  type TalkQueue,
} from '../talk-stream/talk-queue.ts';
import { enterHeard, nextUp, wantsAnswer, withoutSpeech, type TurnQueueItem } from './turn-queue.ts';
import { isGuarded, NO_TURN, replyInput, takeTurnIndex, type CurrentTurn } from './current-turn.ts';
import { countUninterruptible } from './uninterruptible.ts';
import { replyMachine } from './reply-machine.ts';
import type { TurnControl, TurnLeft } from './reply-events.ts';
import { talkMachine } from './talk-machine.ts';
import { NO_EFFECT } from './tool-call.ts';
import { publishHeard } from './user-message.ts';

/** A reply that was asked for before the user's turn was certain. */
interface PreemptiveReply {
  readonly ref: ActorRefFrom<typeof replyMachine>;
  readonly text: string;
}

interface Context {
  readonly env: SessionEnvironment;
  readonly current: CurrentTurn;
  readonly preemptive: PreemptiveReply | null;
  readonly turnQueue: readonly TurnQueueItem[];
  readonly talk: TalkQueue;
  readonly uninterruptibles: number;
  readonly spawned: number;
  /** When the persona was last audible; `to` is infinite while it is. */
  readonly audible: { readonly from: number; readonly to: number } | null;
}

const INTERRUPT: TurnControl = { type: 'turn.interrupt' };

type PersonaEvent = BusEvent | TurnLeft | { readonly type: 'turnQueue.done' } | { readonly type: 'talk.idle' };

/**
 * The persona's side of the conversation: one thing at a time, in order. What the user says comes first, then what the
 * service has to say, then the client's talk streams. A reply or stream is an actor of its own; this one starts it,
 * stops it, and holds it back while the floor is not free.
 */
export const personaTurnsMachine = setup({
  types: {} as { context: Context; events: PersonaEvent; input: { env: SessionEnvironment } },
  actors: { reply: replyMachine, talk: talkMachine },
  guards: {
    hasWork: and([stateIn({ link: 'live' }), ({ context }) => context.turnQueue.length > 0 || hasTalk(context.talk)]),
    isLastUninterruptible: ({ context }) => context.uninterruptibles <= 1,
    isInterruptible: ({ context }) => context.uninterruptibles === 0,
    isAtSomething: ({ context }) => context.current.kind !== 'none',
    isFloorFree: stateIn({ floor: 'free' }),
    isLive: stateIn({ link: 'live' }),
    wasCutOff: ({ context: { env, audible } }) =>
      env.memory.arrivedUpTo !== null &&
      audible !== null &&
      audible.from < env.memory.arrivedUpTo &&
      audible.to > env.memory.arrivedUpTo,
    isIdle: stateIn({ work: 'idle' }),
    isWords: ({ event }) => event.type === 'floor.yield' && event.evidence === 'words',
    opensUnheard: and([
      not(stateIn({ voice: 'audible' })),
      ({ context }) =>
        context.current.kind === 'greet' || context.current.kind === 'greeting' || context.current.kind === 'prompt',
    ]),
    isPreemptiveForThis: and([
      stateIn({ work: 'idle' }),
      ({ context, event }) =>
        event.type === 'turn.ended' &&
        context.preemptive !== null &&
        context.turnQueue.length === 0 &&
        saysTheSame(context.preemptive.text, event.turn.text) &&
        wantsAnswer(context.env, event.turn.text, 'voice') === 'answer',
    ]),
    canGeneratePreemptively: and([
      stateIn({ work: 'idle', link: 'live' }),
      ({ context, event }) =>
        event.type === 'turn.likelyOver' &&
        context.uninterruptibles === 0 &&
        context.turnQueue.length === 0 &&
        wantsAnswer(context.env, event.text, 'voice') === 'answer',
    ]),
  },
  actions: {
    join: ({ context, self }) => context.env.join(self),
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
    enterPrompt: assign({
      turnQueue: ({ context: { turnQueue } }): readonly TurnQueueItem[] =>
        turnQueue.length === 0 ? [{ kind: 'prompt' }] : turnQueue,
    }),
    enterTurn: assign({
      turnQueue: ({ context: { env, turnQueue }, event }) =>
        event.type === 'turn.ended'
          ? enterHeard(turnQueue, {
              kind: 'heard',
              source: { by: 'voice', turn: event.turn },
              at: env.now(),
              wants: wantsAnswer(env, event.turn.text, 'voice'),
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
              wants: wantsAnswer(env, event.content, 'keyboard'),
            })
          : turnQueue,
    }),
    forgetSpeech: assign({ turnQueue: ({ context }) => withoutSpeech(context.turnQueue) }),
    forgetAll: assign({ turnQueue: [] }),
    acceptTalk: enqueueActions(({ context: { env, talk }, event, enqueue }) => {
      const next = accepted(env, talk, event);
      enqueue.assign({ talk: next });
      for (const stream of cutShort(talk, next)) {
        env.log('talk_cut_short', { characters: stream.length });
        env.perform({
          type: 'signal.warning',
          text: 'A talk stream is longer than a persona can speak: its end is left out.',
        });
        env.perform({ type: 'report', entry: { kind: 'warning', at: env.now(), code: 'talk_cut_short' } });
      }
    }),
    closeIdleTalk: assign({ talk: ({ context }) => closeIdle(context.talk, context.env.now()) }),
    armTalkClock: enqueueActions(({ context, enqueue }) => {
      const at = nextIdleAt(context.talk);
      enqueue.cancel('talk-idle');
      if (at !== null)
        enqueue.raise({ type: 'talk.idle' }, { id: 'talk-idle', delay: Math.max(0, at - context.env.now()) });
    }),
    feedTalk: enqueueActions(({ context: { current, talk }, enqueue }) => {
      const front = frontStream(talk);
      if (current.kind !== 'talk' || front === null) return;
      const taken = takePieces(talk);
      enqueue.assign({ talk: taken.queue });
      if (taken.pieces.length > 0) enqueue.sendTo(current.ref, { type: 'talk.pieces', pieces: taken.pieces });
      if (front.end !== 'open') enqueue.sendTo(current.ref, { type: 'talk.complete' });
    }),
    dropTalk: enqueueActions(({ context: { env, talk }, enqueue }) => {
      const dropped = dropAll(talk);
      for (const correlationId of dropped.interrupted) env.perform({ type: 'signal.talkInterrupted', correlationId });
      enqueue.assign({ talk: dropped.queue });
    }),
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
          effect: NO_EFFECT,
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
          effect: NO_EFFECT,
        };
        enqueue.assign({
          current: ({ spawn }) => ({
            kind: item.kind,
            guarded,
            ...aboutTurn(input),
            ref: spawn('talk', { id, input }),
          }),
        });
        // These are whole from the start.
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
    generatePreemptively: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'turn.likelyOver') return;
      const { env } = context;
      const input = {
        env,
        correlationId: event.correlationId,
        userActionAt: env.now(),
        turnIndex: env.memory.nextTurnIndex,
        instruction: null,
        tentative: event.text,
        userText: null,
        marks: null,
        open: false,
      };
      enqueue.assign({
        preemptive: ({ spawn }) => ({
          text: event.text,
          ref: spawn('reply', { id: `turn-${context.spawned}`, input }),
        }),
        spawned: context.spawned + 1,
      });
    }),
    cancelPreemptive: enqueueActions(({ context, enqueue }) => {
      if (context.preemptive !== null) enqueue.sendTo(context.preemptive.ref, { type: 'turn.cancel' });
      enqueue.assign({ preemptive: null });
    }),
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
      enqueue.sendTo(preemptive.ref, { type: 'turn.confirm', userText: event.turn.text, marks: event.turn });
    }),
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
      if (current.kind === 'goodbye') env.tell({ type: 'session.end', reason: 'end_call' });
      else if (event.effect.kind === 'end-call')
        enqueue.assign({
          turnQueue: [{ kind: 'goodbye', text: standardSentence('goodbye', env.memory.spokenLanguage) }],
        });
      else if (event.effect.kind === 'pause' && turnQueue.length === 0)
        env.tell({ type: 'pause.begin', durationMs: event.effect.durationMs });
      enqueue.assign({ current: NO_TURN });
      env.tell({ type: 'persona.idle', counts: current.kind !== 'prompt' });
    }),
    tellSettled: ({ context }) => context.env.tell({ type: 'session.settled' }),
    tellAudible: ({ context: { env } }) => {
      env.tell({ type: 'persona.busy' });
      env.tell({ type: 'persona.audible' });
    },
    tellInaudible: ({ context: { env } }) => {
      env.tell({ type: 'persona.inaudible', askedQuestion: false });
      env.tell({ type: 'persona.idle', counts: true });
    },
  },
}).createMachine({
  id: 'personaTurns',
  type: 'parallel',
  context: ({ input }) => ({
    env: input.env,
    current: NO_TURN,
    preemptive: null,
    turnQueue: [],
    talk: EMPTY_TALK_QUEUE,
    uninterruptibles: 0,
    spawned: 0,
    audible: null,
  }),
  entry: 'join',
  on: {
    'persona.uninterruptible': { actions: 'countUninterruptible' },
    'persona.interruptible': { actions: 'countUninterruptible' },
    'silence.prompt': { guard: 'isIdle', actions: 'enterPrompt' },
    'turn.likelyOver': { guard: 'canGeneratePreemptively', actions: ['cancelPreemptive', 'generatePreemptively'] },
    'turn.resumed': { actions: 'cancelPreemptive' },
    'turn.dropped': { actions: 'cancelPreemptive' },
    'vad.started': {
      guard: and(['opensUnheard', 'isInterruptible']),
      actions: { type: 'control', params: { control: INTERRUPT } },
    },
    'floor.yield': [
      { guard: 'isWords', actions: [{ type: 'control', params: { control: INTERRUPT } }, 'dropTalk'] },
      { actions: { type: 'control', params: { control: { type: 'turn.suspend' } } } },
    ],
    'client.text': [
      {
        guard: 'isInterruptible',
        actions: ['cancelPreemptive', 'enterText', { type: 'control', params: { control: INTERRUPT } }, 'dropTalk'],
      },
      { actions: ['cancelPreemptive', 'enterText'] },
    ],
    'client.interrupt': {
      guard: 'isInterruptible',
      actions: ['forgetSpeech', { type: 'control', params: { control: INTERRUPT } }, 'dropTalk'],
    },
    'client.talk': { actions: ['acceptTalk', 'armTalkClock', 'feedTalk'] },
    'client.talkChunk': { actions: ['acceptTalk', 'armTalkClock', 'feedTalk'] },
    'talk.idle': { actions: ['closeIdleTalk', 'armTalkClock', 'feedTalk'] },
  },
  states: {
    floor: {
      initial: 'free',
      states: {
        free: {
          on: {
            'floor.taken': [
              {
                guard: 'isInterruptible',
                target: 'taken',
                actions: { type: 'control', params: { control: { type: 'turn.shut' } } },
              },
              'taken',
            ],
          },
        },
        taken: {
          on: {
            /** The user talks since before the protection ended. */
            'persona.interruptible': {
              guard: 'isLastUninterruptible',
              actions: { type: 'control', params: { control: { type: 'turn.shut' } } },
            },
            'floor.free': [
              {
                guard: 'isLive',
                target: 'free',
                actions: { type: 'control', params: { control: { type: 'turn.open' } } },
              },
              'free',
            ],
          },
        },
      },
    },
    link: {
      initial: 'away',
      states: {
        away: { on: { 'connection.ready': { target: 'live', actions: 'enterGreeting' } } },
        live: {
          on: {
            'connection.held': [
              {
                guard: 'wasCutOff',
                target: 'held',
                actions: ['cancelPreemptive', { type: 'control', params: { control: INTERRUPT } }, 'dropTalk'],
              },
              /** What nobody heard the beginning of waits for the client, too. */
              {
                target: 'held',
                actions: [
                  'cancelPreemptive',
                  { type: 'control', params: { control: { type: 'turn.suspend' } } },
                  { type: 'control', params: { control: { type: 'turn.shut' } } },
                ],
              },
            ],
          },
        },
        held: {
          on: {
            'connection.back': [
              {
                guard: 'isFloorFree',
                target: 'live',
                actions: { type: 'control', params: { control: { type: 'turn.open' } } },
              },
              'live',
            ],
          },
        },
      },
    },
    voice: {
      initial: 'silent',
      states: {
        silent: { on: { 'persona.audible': 'audible' } },
        audible: { entry: 'noteAudible', exit: 'noteInaudible', on: { 'persona.inaudible': 'silent' } },
      },
    },
    /** Speech that the client makes itself. */
    passthrough: {
      initial: 'off',
      states: {
        off: { on: { 'passthrough.started': { target: 'on', actions: 'tellAudible' } } },
        on: {
          exit: 'tellInaudible',
          on: {
            'passthrough.finished': 'off',
            'floor.yield': { target: 'off', actions: 'cutPassthrough' },
            'client.text': { target: 'off', actions: 'cutPassthrough' },
            'client.interrupt': { target: 'off', actions: 'cutPassthrough' },
            'session.ending': { target: 'off', actions: 'cutPassthrough' },
          },
        },
      },
    },
    work: {
      initial: 'idle',
      states: {
        idle: {
          always: [
            {
              guard: and(['hasWork', 'isFloorFree']),
              target: 'busy',
              actions: { type: 'startNext', params: { open: true } },
            },
            { guard: 'hasWork', target: 'busy', actions: { type: 'startNext', params: { open: false } } },
          ],
          on: {
            'turn.ended': [
              { guard: 'isPreemptiveForThis', target: 'busy.going', actions: ['confirmPreemptive', 'tellBegun'] },
              { actions: ['cancelPreemptive', 'enterTurn'] },
            ],
            'session.ending': { target: 'closed', actions: ['forgetAll', 'cancelPreemptive'] },
          },
        },
        busy: {
          initial: 'starting',
          on: {
            'turn.ended': [
              {
                guard: 'isInterruptible',
                actions: ['cancelPreemptive', 'enterTurn', { type: 'control', params: { control: INTERRUPT } }],
              },
              { actions: ['cancelPreemptive', 'enterTurn'] },
            ],
            'turn.left': { target: 'idle', actions: 'leave' },
            'session.ending': {
              target: 'closing',
              actions: ['forgetAll', 'cancelPreemptive', { type: 'control', params: { control: INTERRUPT } }],
            },
          },
          states: {
            starting: {
              always: { guard: 'isAtSomething', target: 'going', actions: ['tellBegun', 'feedTalk'] },
              on: { 'turnQueue.done': '#personaTurns.work.idle' },
            },
            going: {},
          },
        },
        closing: { on: { 'turn.left': { target: 'closed', actions: 'leave' } } },
        closed: { entry: 'tellSettled' },
      },
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

function hasTalk(talk: TalkQueue): boolean {
  const front = frontStream(talk);
  return front !== null && (front.pieces.length > 0 || front.end !== 'open');
}

function accepted(env: SessionEnvironment, talk: TalkQueue, event: PersonaEvent): TalkQueue {
  if (event.type === 'client.talk') return acceptTalk(talk, event.content, env.now(), env.ids);
  return event.type === 'client.talkChunk'
    ? acceptChunk(talk, event, env.now(), { ids: env.ids, utterances: canAct(env.config.avatar.model) })
    : talk;
}

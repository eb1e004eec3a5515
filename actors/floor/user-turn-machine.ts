import { and, assign, enqueueActions, setup, stateIn } from 'xstate';
import type { BusEvent, UserTurn } from '../session/inner-events.ts';
import type { SessionEnvironment } from '../session/environment.ts';
import { askAt, FIRST_GUESS_MS, learnLatency } from './early-transcript.ts';
import { endOfTurnWaitMs, seemsOver } from './end-of-turn.ts';
import { fadeRhythm, learnPause, UNKNOWN_RHYTHM, type PauseRhythm } from './pause-rhythm.ts';
import { learnLevel } from './speaker-level.ts';
import { answersOnTheBoundary, isOnTheBoundary, type DroppedAnswer } from './late-answer.ts';
import { owe, stillOwed, takeOwed, type OwedTurn } from './late-words.ts';
import { finalText, isForOthers, isMessage, openTurn, saysTheSame, settleForPartial, takeFinal, takePartial, takeSound, turnText, type OpenTurn } from './user-turn.ts';

/** A final text that takes longer is not waited for: the partial text has to do, or the words come late. */
const FINAL_TIMEOUT_MS = 3_000;
/** How far the last window is usually behind: its own length, packets, jitter, a busy machine. */
const USUAL_SOUND_LAG_MS = 150;
/**
 * Sound that comes later than this does not come: the microphone was switched off. Wi-Fi that changes its access point
 * or scans is back sooner; and it is less than the default wait, which such a user therefore never feels.
 */
const SOUND_LOST_MS = 600;
/** While it is awaited: as often as windows come. */
const LOOK_AGAIN_MS = 32;

interface Context {
  readonly env: SessionEnvironment;
  readonly rhythm: PauseRhythm;
  readonly recogniserLatencyMs: number;
  /** What the persona is doing when a turn begins. */
  readonly persona: 'idle' | 'busy';
  readonly turn: OpenTurn;
  readonly dropped: DroppedAnswer | null;
  readonly owed: readonly OwedTurn[];
}

/** One turn of the user: talking, pausing (perhaps done), settled as a message or dropped as mere sound. */
export const userTurnMachine = setup({
  types: {} as { context: Context; events: BusEvent; input: { env: SessionEnvironment } },
  guards: {
    isOver: and([stateIn({ pausing: { words: 'understood', patience: 'over', hint: 'none' } })]),
    silenceWasHeard: ({ context }) => context.env.memory.heardUntil >= deadlineOf(context) - USUAL_SOUND_LAG_MS,
    soundIsLost: ({ context: { env } }) => env.now() >= env.memory.heardUntil + SOUND_LOST_MS,
    noVoiceSuspected: stateIn({ pausing: { hint: 'none' } }),
    /** Asked first wherever a final comes: what is owed comes before what the turn awaits. */
    isOwedFinal: ({ context }) => stillOwed(context.owed, context.env.now()).length > 0,
    isAwaitedFinal: ({ context }) => context.turn.finalsAwaited > 0,
    isLastFinal: ({ context }) => context.turn.finalsAwaited <= 1,
    answersQuestion: ({ context, event }) => event.type === 'persona.inaudible' && answersOnTheBoundary(context.dropped, event.askedQuestion, context.env.now()),
    endsQuestion: ({ context, event }) => event.type === 'persona.inaudible' && isOnTheBoundary(context.turn.startedAt, event.askedQuestion, context.env.now()),
  },
  actions: {
    join: ({ context, self }) => context.env.join(self),
    noteBusy: assign({ persona: 'busy' }),
    noteIdle: assign({ persona: 'idle' }),
    begin: assign({
      turn: ({ context, event }) => openTurn(context.env.ids.uuid(), event.type === 'voice.started' ? event.onsetAt : context.env.now(), context.persona === 'busy' ? 'over-persona' : 'alone'),
      dropped: null,
    }),
    /** The same turn goes on: what was a pause is learned. */
    resume: assign({
      rhythm: ({ context, event }) => (event.type === 'voice.started' ? learnPause(context.rhythm, event.onsetAt - context.turn.lastVoicedAt) : context.rhythm),
      turn: ({ context }) => ({ ...context.turn, likelyText: '', modelProbability: null }),
    }),
    tellResumed: ({ context }) => context.env.tell({ type: 'turn.resumed' }),
    sendMark: ({ context: { env, turn } }, params: { mark: 'userSpeechStarted' | 'userSpeechEnded' }) =>
      env.perform({
        type: 'message.send',
        message: { messageType: params.mark, data: { user_action_correlation_id: turn.correlationId, session_id: env.config.sessionId, timestamp: env.iso(env.now()) } },
      }),
    noteStop: assign({ turn: ({ context, event }) => (event.type === 'voice.stopped' ? takeSound(context.turn, event) : context.turn) }),
    askModel: ({ context: { env } }) => {
      if (env.endOfTurnModelAvailable) env.perform({ type: 'hearing.askEndOfTurn' });
    },
    askFinal: ({ context }) => context.env.perform({ type: 'hearing.finish' }),
    noteFinalAsked: assign({ turn: ({ context }) => ({ ...context.turn, finalsAwaited: context.turn.finalsAwaited + 1, finalAskedAt: context.env.now() }) }),
    takePartial: assign({ turn: ({ context, event }) => (event.type === 'hearing.partial' ? takePartial(context.turn, event.text) : context.turn) }),
    takeFinal: assign({
      turn: ({ context, event }) => (event.type === 'hearing.final' ? takeFinal(context.turn, event.text, event.language, context.env.now()) : context.turn),
      recogniserLatencyMs: ({ context }) => learnLatency(context.recogniserLatencyMs, context.env.now() - context.turn.finalAskedAt),
    }),
    noteOwed: assign({ owed: ({ context }) => owe(context.owed, context.turn) }),
    /** The user is already saying more: it is one message with that. */
    takeLateWords: assign(({ context, event }) => {
      const { owed, complete } = lateWords(context, event);
      return complete === null ? { owed } : { owed, turn: { ...context.turn, parts: [...context.turn.parts, finalText(complete)] } };
    }),
    tellLateWords: enqueueActions(({ context, event, enqueue }) => {
      const { owed, complete } = lateWords(context, event);
      enqueue.assign({ owed });
      if (complete !== null) context.env.tell({ type: 'turn.ended', turn: userTurn(context.env, complete) });
    }),
    takePartialAsFinal: assign({ turn: ({ context }) => settleForPartial(context.turn, context.env.now()) }),
    takeVerdict: assign({ turn: ({ context, event }) => (event.type === 'hearing.endOfTurn' ? { ...context.turn, modelProbability: event.probability } : context.turn) }),
    noteYield: assign({
      turn: ({ context, event }) => (event.type === 'floor.yield' ? { ...context.turn, place: event.evidence === 'words' ? 'yielded-to-words' : 'yielded-to-voice' } as const : context.turn),
    }),
    noteAnswer: assign({ turn: ({ context }) => ({ ...context.turn, place: 'answers-question' }) as const }),
    noteKeep: assign({ turn: ({ context }) => ({ ...context.turn, place: 'not-for-floor' }) as const }),
    /** Lets the mind begin while the wait runs: what it says is only used if the turn ends with these words. */
    thinkAhead: ({ context: { env, turn } }) => {
      const text = turnText(turn);
      if ((turn.place !== 'alone' && turn.place !== 'yielded-to-words') || isForOthers(turn, env.memory.speaker)) return;
      if (text === '' || saysTheSame(text, turn.likelyText) || !seemsOver({ text, language: turn.language, modelProbability: turn.modelProbability })) return;
      env.tell({ type: 'turn.likely', text, correlationId: turn.correlationId });
    },
    noteLikely: assign({ turn: ({ context }) => ({ ...context.turn, likelyText: turnText(context.turn) }) }),
    settle: ({ context: { env, turn } }) => {
      const { memory } = env;
      if (!isMessage(turn, memory.speaker)) {
        if (isForOthers(turn, memory.speaker) && finalText(turn) !== '') memory.speaker = learnLevel(memory.speaker, turn.levelDb, 'ignored');
        return env.tell({ type: 'turn.dropped' });
      }
      memory.speaker = learnLevel(memory.speaker, turn.levelDb, 'answered');
      env.tell({ type: 'turn.ended', turn: userTurn(env, turn) });
    },
    fadeRhythm: assign({ rhythm: ({ context }) => fadeRhythm(context.rhythm) }),
    noteDropped: assign({ dropped: ({ context: { turn, env } }) => (isMessage(turn, env.memory.speaker) ? null : { turn, text: turnText(turn), at: env.now() }) }),
    forgetWords: ({ context }) => context.env.perform({ type: 'hearing.reset' }),
    tellDropped: ({ context }) => context.env.tell({ type: 'turn.dropped' }),
    tellLateAnswer: ({ context: { env, dropped } }) => {
      if (dropped === null) return;
      env.tell({ type: 'turn.ended', turn: { ...userTurn(env, dropped.turn), text: dropped.text, transcribedAt: env.now() } });
    },
    forgetDropped: assign({ dropped: null }),
  },
  delays: {
    restOfWait: ({ context }) => Math.max(0, deadlineOf(context) - context.env.now()),
    untilFinalIsNeeded: ({ context }) => Math.max(0, askAt(deadlineOf(context), context.recogniserLatencyMs) - context.env.now()),
    finalTimeout: FINAL_TIMEOUT_MS,
    nextLook: LOOK_AGAIN_MS,
  },
}).createMachine({
  id: 'userTurn',
  context: ({ input }) => ({
    env: input.env, rhythm: UNKNOWN_RHYTHM, recogniserLatencyMs: FIRST_GUESS_MS, persona: 'idle', turn: openTurn('', 0, 'alone'), dropped: null, owed: [],
  }),
  entry: 'join',
  initial: 'idle',
  on: {
    'persona.busy': { actions: 'noteBusy' },
    'persona.idle': { actions: 'noteIdle' },
    'floor.yield': { actions: 'noteYield' },
  },
  states: {
    idle: {
      on: {
        'voice.started': { target: 'talking', actions: ['begin', { type: 'sendMark', params: { mark: 'userSpeechStarted' } }] },
        'persona.inaudible': { guard: 'answersQuestion', actions: ['tellLateAnswer', 'forgetDropped'] },
        'hearing.final': { guard: 'isOwedFinal', actions: 'tellLateWords' },
      },
    },
    talking: {
      on: {
        'persona.inaudible': { guard: 'endsQuestion', actions: 'noteAnswer' },
        'hearing.partial': { actions: 'takePartial' },
        'hearing.final': [{ guard: 'isOwedFinal', actions: 'takeLateWords' }, { guard: 'isAwaitedFinal', actions: 'takeFinal' }],
        'voice.stopped': { target: 'pausing', actions: ['noteStop', { type: 'sendMark', params: { mark: 'userSpeechEnded' } }, 'askModel'] },
      },
    },
    pausing: {
      type: 'parallel',
      always: { guard: 'isOver', target: 'idle', actions: ['settle', 'noteDropped', 'fadeRhythm'] },
      on: {
        'voice.started': { target: 'talking', actions: ['tellResumed', 'resume', { type: 'sendMark', params: { mark: 'userSpeechStarted' } }] },
        'floor.keep': { actions: 'noteKeep' },
        'persona.inaudible': { guard: 'endsQuestion', actions: 'noteAnswer' },
      },
      states: {
        words: {
          initial: 'unasked',
          states: {
            unasked: {
              entry: ['thinkAhead', 'noteLikely'],
              // Not in the middle of a word that the user may just be beginning.
              after: { untilFinalIsNeeded: { guard: 'noVoiceSuspected', target: 'transcribing' } },
              on: {
                'floor.undecided': 'transcribing',
                'voice.faded': { target: 'unasked', reenter: true },
                /** No interruption, and the recogniser was not asked: forget it all. */
                'floor.keep': { target: '#userTurn.idle', actions: ['noteKeep', 'noteOwed', 'noteDropped', 'forgetWords', 'tellDropped'] },
                'hearing.partial': { target: 'unasked', reenter: true, actions: 'takePartial' },
                'hearing.endOfTurn': { target: 'unasked', reenter: true, actions: 'takeVerdict' },
                'hearing.final': [{ guard: 'isOwedFinal', target: 'unasked', reenter: true, actions: 'takeLateWords' }, { guard: 'isAwaitedFinal', target: 'unasked', reenter: true, actions: 'takeFinal' }],
              },
            },
            transcribing: {
              entry: ['askFinal', 'noteFinalAsked'],
              after: { finalTimeout: { target: 'understood', actions: ['noteOwed', 'takePartialAsFinal'] } },
              on: {
                'hearing.final': [{ guard: 'isOwedFinal', actions: 'takeLateWords' }, { guard: 'isLastFinal', target: 'understood', actions: 'takeFinal' }, { actions: 'takeFinal' }],
                'hearing.failed': { target: 'understood', actions: 'takePartialAsFinal' },
                'hearing.partial': { actions: 'takePartial' },
                'hearing.endOfTurn': { actions: 'takeVerdict' },
              },
            },
            understood: { entry: ['thinkAhead', 'noteLikely'], on: { 'hearing.final': { guard: 'isOwedFinal', target: 'understood', reenter: true, actions: 'takeLateWords' } } },
          },
        },
        patience: {
          initial: 'waiting',
          states: {
            waiting: {
              after: { restOfWait: [{ guard: 'silenceWasHeard', target: 'over' }, { target: 'unheard' }] },
              on: {
                'hearing.partial': { target: 'waiting', reenter: true },
                'hearing.final': { target: 'waiting', reenter: true },
                'hearing.endOfTurn': { target: 'waiting', reenter: true },
              },
            },
            /** The time is up, but the sound of it is still on its way: the user may have gone on. */
            unheard: {
              always: [{ guard: 'silenceWasHeard', target: 'over' }, { guard: 'soundIsLost', target: 'over' }],
              // Looking is cheaper than being told of all 31 windows a second for a state that is hardly ever entered.
              after: { nextLook: { target: 'unheard', reenter: true } },
            },
            over: {},
          },
        },
        /** A voice seems to begin again just when the wait is over: see first. */
        hint: {
          initial: 'none',
          states: { none: { on: { 'voice.suspected': 'suspected' } }, suspected: { on: { 'voice.faded': 'none' } } },
        },
      },
    },
  },
});

/** @returns the turn whose late words the event completes, if they are a message. */
function lateWords({ env, owed }: Context, event: BusEvent): ReturnType<typeof takeOwed> {
  if (event.type !== 'hearing.final') return { owed, complete: null };
  const taken = takeOwed(owed, event.text, event.language, env.now());
  return taken.complete !== null && !isMessage(taken.complete, env.memory.speaker) ? { ...taken, complete: null } : taken;
}

function userTurn(env: SessionEnvironment, turn: OpenTurn): UserTurn {
  return {
    text: finalText(turn), language: turn.language, correlationId: turn.correlationId, startedAt: turn.startedAt, endedAt: turn.lastVoicedAt,
    decidedAt: env.now(), transcribedAt: turn.transcribedAt,
  };
}

function deadlineOf({ env, turn, rhythm }: Context): number {
  return turn.lastVoicedAt + endOfTurnWaitMs({ detection: env.memory.settings.voiceDetection, text: turnText(turn), language: turn.language ?? env.memory.settings.languageCode, modelProbability: turn.modelProbability, rhythm });
}

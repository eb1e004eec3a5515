import { and, assign, enqueueActions, stateIn } from 'xstate';
import type { BusEvent, UserTurn } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { answerTime, askAt, learnLatency, longestWaitForFinal } from './early-transcript.ts';
import { isWordlessSince, longestWithoutWords, SAID_OVER_MS, saysOver } from './background-voice.ts';
import { endOfTurnWaitMs, isPunctuated, seemsOver } from './end-of-turn.ts';
import { fadeRhythm, type PauseRhythm } from './pause-rhythm.ts';
import { rhythmAfterPause, rhythmAtStart } from './turn-rhythm.ts';
import { isAudioLost, isPauseHeard, wasHeard } from './heard-silence.ts';
import { heardWords, lastWords } from './heard-words.ts';
import { companyOf, noteIgnored, noteLevel } from './company.ts';
import { answersOnTheBoundary, isOnTheBoundary, wasTolerated, type DroppedAnswer } from './boundary-answer.ts';
import { reportUnanswered } from './unanswered.ts';
import { awaitTranscript, stillAwaited, takeLateFinal, type AwaitedTurn } from './late-transcript.ts';
import {
  askForFinal,
  awaitedSince,
  finalText,
  isCertain,
  isForOthers,
  isMessage,
  isRequestToWait,
  openTurn,
  overlapped,
  saysTheSame,
  settleForPartial,
  takeFinal,
  takePartial,
  takeAudio,
  turnText,
  wantsNoAnswer,
  type OpenTurn,
  type TurnPlace,
} from './user-turn.ts';
import { personaJustAsked } from '../history/conversation-history.ts';
import { modeOf } from '../meeting/conversation-mode.ts';
import { SKIP_TURN_DEFAULT_SECONDS } from '../tools/system-tools.ts';
import { actorSetup, performs, tells, type ActorContext } from '../kernel/actor-setup.ts';

/** Who asks to wait gets as long as a persona that skips its turn without saying for how long, not the usual 5 s. */
const ASKED_TO_WAIT_SECONDS = SKIP_TURN_DEFAULT_SECONDS;
/** While it is awaited: as often as windows come. */
const LOOK_AGAIN_MS = 32;

/** What was not for the persona is in the transcript. Shorter voices say "yeah", or cough. */
const WORTH_READING_MS = 1_000;

interface Context extends ActorContext {
  readonly rhythm: PauseRhythm;
  readonly recognizerLatencyMs: number;
  /** From the last sound of the newest utterance that was understood to its final text. */
  readonly finalTookMs: number;
  /**
   * What the persona is doing when a turn begins. `busy`: at something that is not heard. `between`: the same, and it has
   * spoken before: "okay" is then a sign of listening.
   */
  readonly persona: 'idle' | 'busy' | 'between' | 'audible';
  /** When its speech ended, as far as it was heard; -Infinity: it has not spoken. */
  readonly inaudibleAt: number;
  /** Ids of the calls that are running. */
  readonly tools: ReadonlySet<string>;
  readonly turn: OpenTurn;
  /** When the turn's newest words came. */
  readonly wordsAt: number;
  /** This recognizer has been seen to give words while the user speaks. */
  readonly partialsKnown: boolean;
  readonly dropped: DroppedAnswer | null;
  readonly awaited: readonly AwaitedTurn[];
}

/** What the names in the table of `user-turn-machine.ts` stand for. */
export const userTurnSetup = actorSetup({ types: {} as { context: Context } })
  .extend({
    guards: {
      isOver: and([stateIn({ pausing: { words: 'understood', stretchedWait: 'over', hint: 'none' } })]),
      silenceWasHeard: ({ context }) => wasHeard(deadlineOf(context), context.env.memory.heardUntil),
      audioIsLost: ({ context: { env } }) => isAudioLost(env.memory.heardUntil, env.now()),
      /** Not while a voice is suspected: a word may just begin. */
      pauseWasHeard: and([
        stateIn({ pausing: { hint: 'none' } }),
        ({ context }) => isPauseHeard(neededAt(context), context.env.memory.heardUntil, context.env.now()),
      ]),
      isWorthReading: ({ context: { turn } }) => turn.voicedMs >= WORTH_READING_MS,
      /** Asked first wherever a final comes: what is awaited comes before what the turn awaits. */
      isLateFinal: ({ context }) => stillAwaited(context.awaited, context.env.now()).length > 0,
      isAwaitedFinal: ({ context }) => context.turn.asked.length > 0,
      isLastFinal: ({ context }) => context.turn.asked.length <= 1,
      isNewText: ({ context, event }) =>
        event.type === 'stt.partial' && event.text.trim() !== '' && event.text !== context.turn.partial,
      /** In a meeting, the next voice may be another one that is meant as well. */
      isFaintWithoutWords: ({ context, event }) =>
        event.type === 'vad.faint' &&
        context.env.config.meeting === null &&
        isWordlessSince(event.since, context.wordsAt),
      saysOver: ({ context, event }) =>
        event.type === 'endOfTurn.predicted' && saysOver(turnText(context.turn), event.probability),
      answersQuestion: ({ context, event }) =>
        event.type === 'persona.inaudible' &&
        event.askedQuestion &&
        answersOnTheBoundary(context.dropped, context.env.now()),
      endsQuestion: ({ context, event }) =>
        event.type === 'persona.inaudible' &&
        event.askedQuestion &&
        isOnTheBoundary(context.turn.startedAt, context.env.now()),
      /**
       * The persona has no more to say: `persona.idle` also comes when it was stopped, or when more follows. Speech that
       * only pauses for a tool goes on: "okay" is then a sign of listening.
       */
      answersStatement: ({ context: { env, dropped }, event }) =>
        saidAll(event) &&
        answersOnTheBoundary(dropped, env.now()) &&
        wasTolerated(dropped.turn) &&
        !isForOthers(dropped.turn, companyOf(env)),
      /** It is no answer on the boundary any more. */
      isOnlyHeard: ({ context: { dropped, persona } }) =>
        dropped !== null && persona !== 'audible' && persona !== 'between',
      endsStatement: ({ context: { env, turn }, event }) =>
        saidAll(event) && wasTolerated(turn) && isOnTheBoundary(turn.startedAt, env.now()),
    },
    actions: {
      /** An application's own audio may be heard beside what the persona does. */
      noteBusy: assign({ persona: ({ context }) => (context.persona === 'audible' ? 'audible' : 'busy') }),
      noteIdle: assign({ persona: ({ context }) => (context.persona === 'audible' ? 'audible' : 'idle') }),
      noteAudible: assign({ persona: 'audible' }),
      noteInaudible: assign({ persona: 'between', inaudibleAt: ({ context }) => context.env.now() }),
      noteTool: assign({
        tools: ({ context: { tools: all }, event }) =>
          event.type === 'tool.begun' ? new Set([...all, event.callId]) : all,
      }),
      noteToolOver: assign({
        tools: ({ context, event }) =>
          event.type === 'tool.over' ? new Set([...context.tools].filter((id) => id !== event.callId)) : context.tools,
      }),
      noteOverlap: assign({ turn: ({ context }) => overlapped(context.turn) }),
      begin: assign({
        rhythm: ({ context, event }) => rhythmAtStart(context, modeOf(context.env), event),
        turn: ({ context, event }) => {
          const { env, inaudibleAt } = context;
          const at = event.type === 'vad.started' ? event.onsetAt : env.now();
          return openTurn(env.ids.uuid(), at, placeOf(context), at - inaudibleAt);
        },
        wordsAt: ({ context }) => context.env.now(),
        dropped: null,
      }),
      noteWords: assign({ wordsAt: ({ context }) => context.env.now(), partialsKnown: true }),
      tellWords: tells({ type: 'turn.words' }),
      /** The voice goes on, and is not the user's any more. */
      tellBackground: ({ context: { env, turn, wordsAt }, event }) => {
        const stalledAt = turnText(turn) === '' ? env.now() : wordsAt;
        env.tell({ type: 'turn.background', endedAt: event.type === 'vad.faint' ? event.since : stalledAt });
      },
      /** The same turn goes on: what was a pause is learned. */
      resume: assign({
        rhythm: ({ context, event }) => rhythmAfterPause(context, modeOf(context.env), event),
        turn: ({ context }) => ({
          ...(context.persona === 'audible' ? overlapped(context.turn) : context.turn),
          preemptiveText: '',
          modelProbability: null,
        }),
      }),
      tellResumed: tells({ type: 'turn.resumed' }),
      sendMark: ({ context: { env, turn } }, params: { mark: 'userSpeechStarted' | 'userSpeechEnded' }) =>
        env.perform({
          type: 'message.send',
          message: {
            messageType: params.mark,
            data: {
              user_action_correlation_id: turn.correlationId,
              session_id: env.config.sessionId,
              timestamp: env.iso(env.now()),
            },
          },
        }),
      noteStop: assign({
        turn: ({ context, event }) => (event.type === 'vad.stopped' ? takeAudio(context.turn, event) : context.turn),
      }),
      askModel: ({ context: { env } }) => {
        if (env.endOfTurnModelAvailable) env.perform({ type: 'endOfTurn.predict' });
      },
      askFinal: performs({ type: 'stt.finish' }),
      noteFinalAsked: assign({ turn: ({ context }) => askForFinal(context.turn, context.env.now()) }),
      takePartial: assign({
        turn: ({ context, event }) =>
          event.type === 'stt.partial' ? takePartial(context.turn, event.text, event.place) : context.turn,
      }),
      takeFinal: assign({
        turn: ({ context, event }) =>
          event.type === 'stt.final'
            ? takeFinal(context.turn, event.text, event.language, context.env.now(), event.confidence)
            : context.turn,
        recognizerLatencyMs: ({ context: { env, turn, recognizerLatencyMs }, event }) => {
          const isKnown = event.type === 'stt.final' && saysTheSame(event.text, turn.partial);
          const times = { askedAt: turn.finalAskedAt, lastVoicedAt: turn.lastVoicedAt, now: env.now() };
          return learnLatency(recognizerLatencyMs, answerTime(times, isKnown ? 'known' : 'news'));
        },
        finalTookMs: ({ context: { env, turn } }) => env.now() - awaitedSince(turn),
      }),
      awaitTranscript: assign({ awaited: ({ context }) => awaitTranscript(context.awaited, context.turn) }),
      takePartialAsFinal: assign({ turn: ({ context }) => settleForPartial(context.turn, context.env.now()) }),
      takeVerdict: assign({
        turn: ({ context, event }) =>
          event.type === 'endOfTurn.predicted'
            ? { ...context.turn, modelProbability: event.probability }
            : context.turn,
      }),
      noteYield: assign({
        turn: ({ context, event }) =>
          event.type === 'floor.yield'
            ? ({ ...context.turn, place: `yielded-to-${event.evidence}` } as const)
            : context.turn,
      }),
      noteAnswer: assign({ turn: ({ context }) => ({ ...context.turn, place: 'answers-question' }) as const }),
      noteEnd: assign({ turn: ({ context }) => ({ ...context.turn, place: 'at-the-end' }) as const }),
      noteKeep: assign({ turn: ({ context }) => ({ ...context.turn, place: 'not-for-floor' }) as const }),
      /** Lets the LLM begin while the wait runs: what it says is only used if the turn ends with these words. */
      generatePreemptively: ({ context }) => {
        const { env, turn } = context;
        if (asksAhead(context))
          env.tell({ type: 'turn.likelyOver', correlationId: turn.correlationId, ...heardWords(env, turn, 'all') });
      },
      notePreemptiveText: assign({
        turn: ({ context }) =>
          asksAhead(context) ? { ...context.turn, preemptiveText: turnText(context.turn) } : context.turn,
      }),
      tellCertain: ({ context: { env, turn } }) => {
        if (isCertain(turn, companyOf(env))) env.tell({ type: 'turn.certain' });
      },
      settle: ({ context: { env, turn } }) => {
        const company = companyOf(env);
        if (!isMessage(turn, company)) {
          if (finalText(turn) !== '') noteIgnored(env, turn);
          return env.tell({ type: 'turn.dropped' });
        }
        noteLevel(env, turn, 'answered');
        tellEnded(env, turn);
      },
      fadeRhythm: assign({ rhythm: ({ context }) => fadeRhythm(context.rhythm, context.turn.voicedMs) }),
      noteDropped: assign({
        dropped: ({ context: { turn, env } }) =>
          isMessage(turn, companyOf(env)) ? null : { turn, text: turnText(turn), at: env.now() },
      }),
      noteIgnored: ({ context: { env, turn } }) => noteIgnored(env, turn),
      forgetWords: performs({ type: 'stt.reset' }),
      tellDropped: tells({ type: 'turn.dropped' }),
      tellLateAnswer: ({ context: { env, dropped } }) => {
        if (dropped === null) return;
        env.tell({
          type: 'turn.ended',
          turn: { ...userTurn(env, dropped.turn, 'all'), transcribedAt: env.now() },
        });
      },
      forgetDropped: assign({ dropped: null }),
      /** It was no message, and cannot become one any more. */
      reportDropped: ({ context: { env, dropped } }) => {
        if (dropped !== null) reportUnanswered(env, dropped.turn);
      },
      /** The session ends in the middle of it. */
      reportOpen: ({ context: { env, turn } }) => reportUnanswered(env, turn),
    },
    delays: {
      withoutWords: ({ context }) => longestWithoutWords(turnText(context.turn), context.partialsKnown),
      afterSaidOver: SAID_OVER_MS,
      restOfWait: ({ context }) => Math.max(0, deadlineOf(context) - context.env.now()),
      untilFinalIsNeeded: ({ context }) => Math.max(0, neededAt(context) - context.env.now()),
      finalTimeout: ({ context }) => longestWaitForFinal(context.finalTookMs),
      nextLook: LOOK_AGAIN_MS,
    },
  })
  // Apart from `sendMark`: XState cannot tell the types of an action with parameters and of this one together.
  .extend({
    actions: {
      tellLateTranscript: enqueueActions(({ context, event, enqueue }) => {
        const { awaited, finalTookMs, late } = lateTranscript(context, event);
        enqueue.assign({ awaited, finalTookMs });
        if (late.is === 'message') tellEnded(context.env, late.turn);
        if (late.is === 'unanswered') enqueue.assign({ dropped: withAllWords(context.dropped, late.turn) });
      }),
      /** The user is already saying more: it is one message with that. */
      takeLateTranscript: enqueueActions(({ context, event, enqueue }) => {
        const { awaited, finalTookMs, late } = lateTranscript(context, event);
        enqueue.assign({ awaited, finalTookMs });
        if (late.is !== 'message') return;
        enqueue.assign({ turn: { ...context.turn, parts: [...context.turn.parts, ...late.turn.parts] } });
      }),
    },
  });

type LateTranscript = { readonly is: 'nothing' } | { readonly is: 'message' | 'unanswered'; readonly turn: OpenTurn };

/** Takes a late final. If it corrects words that are answered already, or nobody wants an answer, that is told here. */
function lateTranscript(
  { env, awaited, finalTookMs }: Context,
  event: BusEvent,
): Pick<Context, 'awaited' | 'finalTookMs'> & { readonly late: LateTranscript } {
  if (event.type !== 'stt.final') return { awaited, finalTookMs, late: { is: 'nothing' } };
  const taken = takeLateFinal(awaited, event.text, event.language, env.now());
  const known = { awaited: taken.awaited, finalTookMs: taken.tookMs };
  if (taken.complete === null) return { ...known, late: { is: 'nothing' } };
  return { ...known, late: lateWords(env, taken.complete.turn, taken.complete.decidedOn) };
}

function lateWords(env: SessionEnvironment, turn: OpenTurn, decidedOn: string): LateTranscript {
  const company = companyOf(env);
  if (decidedOn !== '' && isMessage({ ...turn, parts: [{ text: decidedOn, voice: [] }] }, company)) {
    // In a meeting, a message is in parts by speaker: it stays as it is.
    if (env.config.meeting === null) env.tell({ type: 'turn.corrected', turn: userTurn(env, turn), decidedOn });
    return { is: 'nothing' };
  }
  if (isMessage(turn, company)) return { is: 'message', turn };
  reportUnanswered(env, turn);
  return { is: 'unanswered', turn };
}

/** What is dropped is told to the transcript once more: then with these words. */
function withAllWords(dropped: DroppedAnswer | null, turn: OpenTurn): DroppedAnswer | null {
  if (dropped?.turn.correlationId !== turn.correlationId) return dropped;
  return { ...dropped, turn, text: turnText(turn) };
}

function saidAll(event: BusEvent): boolean {
  return event.type === 'persona.idle' && event.saidAll;
}

function placeOf({ persona, tools }: Context): TurnPlace {
  if (persona === 'audible') return 'over-persona';
  if (persona === 'idle') return 'alone';
  return persona === 'between' || tools.size > 0 ? 'during-tool' : 'while-thinking';
}

function tellEnded(env: SessionEnvironment, turn: OpenTurn): void {
  const company = companyOf(env);
  const ended = userTurn(env, turn);
  env.tell({ type: 'turn.ended', turn: wantsNoAnswer(turn, company) ? { ...ended, asked: null } : ended });
  if (!isRequestToWait(turn, company)) return;
  const seconds = Math.max(ASKED_TO_WAIT_SECONDS, env.memory.settings.voiceDetection.silenceBeforeSkipTurnSeconds);
  env.tell({ type: 'silence.skip', timeoutMs: seconds * 1_000 });
}

/**
 * Whether the LLM is asked before the turn is over. It is not while the persona may still go on with what it said: that
 * is in no history yet. Nor with words of which the last ones are about to come: its answer would be thrown away, and the
 * voice that had begun to speak it would keep that one waiting.
 */
function asksAhead({ env, turn, rhythm }: Context): boolean {
  const text = turnText(turn);
  const company = companyOf(env);
  if (turn.place !== 'alone' && turn.place !== 'at-the-end' && !isCertain(turn, company)) return false;
  if (isForOthers(turn, company) || wantsNoAnswer(turn, company)) return false;
  if (text === '' || turn.isBehind || saysTheSame(text, turn.preemptiveText)) return false;
  return seemsOver({ ...signsOf(env, turn), rhythm });
}

function signsOf(env: SessionEnvironment, turn: OpenTurn) {
  return {
    text: lastWords(env, turn),
    language: turn.language ?? env.memory.settings.languageCode,
    modelProbability: turn.modelProbability,
    confidence: turn.confidence,
    punctuates: env.memory.published.some(({ message }) => isPunctuated(message.text)),
    personaJustAsked: personaJustAsked(env.memory.history),
  };
}

/**
 * In a group, the next voice is often another one. So the recognizer finishes at every pause, and does not mix the words
 * of one speaker with those of the next. One that gives no partial text needs whole sentences: it is not cut.
 */
function separatesSpeakers({ env, turn }: Context): boolean {
  return modeOf(env) === 'group' && turn.partial.trim() !== '';
}

/** When the final text has to be asked for. */
function neededAt(context: Context): number {
  return separatesSpeakers(context)
    ? context.turn.lastVoicedAt
    : askAt(deadlineOf(context), context.recognizerLatencyMs);
}

function userTurn(env: SessionEnvironment, turn: OpenTurn, which: 'final' | 'all' = 'final'): UserTurn {
  return {
    ...heardWords(env, turn, which),
    language: turn.language,
    correlationId: turn.correlationId,
    startedAt: turn.startedAt,
    endedAt: turn.lastVoicedAt,
    decidedAt: env.now(),
    transcribedAt: turn.transcribedAt,
  };
}

function deadlineOf({ env, turn, rhythm }: Context): number {
  return (
    turn.lastVoicedAt +
    endOfTurnWaitMs({ detection: env.memory.settings.voiceDetection, ...signsOf(env, turn), rhythm })
  );
}

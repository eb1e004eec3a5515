import { assign, enqueueActions, sendParent, sendTo, spawnChild } from 'xstate';
import type { LlmToolCall } from '../../models/ports.ts';
import { setToolOutput, type SpokenWords } from '../history/conversation-history.ts';
import { standardSentence } from '../phrases/phrases.ts';
import type { TurnRecord } from '../report.ts';
import { addToolCall, mark } from '../report-builder/turn-timings.ts';
import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { ReplyText } from '../text/reply-text.ts';
import type { ToolLoop } from '../tools/tool-loop-limit.ts';
import { mayRetry, retryDelayMs } from './llm-retry.ts';
import { closeReply, markSpeech, markUser } from './close-reply.ts';
import { deliveryMachine } from './delivery-machine.ts';
import type { DeliveryEvent, DeliveryGaveUp } from './delivery-actions.ts';
import {
  countReceived,
  endReasoning,
  nextStep,
  readerAfter,
  route,
  showReasoning,
  type LlmOutput,
  type Routed,
} from './llm-output.ts';
import { requestLlm, toolSpecs } from './llm-request.ts';
import {
  firstWords,
  keep,
  keepParts,
  NOTHING_YET,
  type LlmEvent,
  type PreemptiveOutput,
  readText,
} from './preemptive-output.ts';
import {
  deliveryControl,
  type DeliveryDone,
  type TurnControl,
  type TurnEvent,
  type TurnLeft,
  type UserMarks,
} from './reply-events.ts';
import { MAX_ANSWER_LENGTH } from './reply-length.ts';
import { warnRetried, tellCutShort, tellEmptyAnswer, tellLlmFailed } from './reply-warnings.ts';
import { STREAM_PAUSE_MS } from './stream-pause.ts';
import type { CallAnswer, CallEffect } from './tool-call.ts';
import { toolCallMachine } from './tool-call-machine.ts';
import type { ToolCallAnswered } from './tool-call-actions.ts';
import { beginToolRound, strongerEffect, toolCalls } from './tool-round.ts';
import type { AskItem } from './turn-queue.ts';
import { actorSetup, type ActorContext } from '../kernel/actor-setup.ts';
import { sessionTools } from '../session-memory.ts';
import { isHostedAgent } from '../settings/hosted-agent.ts';

/** Providers give up after 15 s without a token. This is for an LLM that sends nothing at all. */
const LLM_STALLED_MS = 60_000;

export interface ReplyInput {
  readonly env: SessionEnvironment;
  readonly kind: 'answer' | AskItem['kind'];
  readonly correlationId: string;
  readonly userActionAt: number;
  readonly turnIndex: number;
  /** A hidden request, for greetings and prompts. */
  readonly instruction: string | null;
  /** The user's probable words. The LLM is asked preemptively, and the answer waits for `turn.confirm`. */
  readonly tentative: readonly SpokenWords[] | null;
  readonly userText: string | null;
  readonly marks: UserMarks | null;
  readonly open: boolean;
}

interface Context extends ActorContext {
  readonly input: ReplyInput;
  readonly messageId: string;
  readonly requestId: string;
  readonly text: ReplyText;
  readonly output: LlmOutput;
  /** How often the LLM was asked again after a failure. */
  readonly attempts: number;
  readonly calls: readonly LlmToolCall[];
  readonly answers: readonly CallAnswer[];
  readonly toolLoop: ToolLoop;
  readonly tools: 'allowed' | 'used-up';
  readonly effect: CallEffect;
  /** Calls of all rounds that have not ended. */
  readonly running: number;
  /** An apology is nothing that the persona said: the LLM would go on apologizing. */
  readonly spokenAs: 'answer' | 'apology';
  /** The answer of the LLM, by its step, that was interrupted while the LLM was writing it. */
  readonly unfinished: number | null;
  /** Whether the user speaks. Not followed while the persona is uninterruptible. */
  readonly floor: 'free' | 'taken';
  readonly record: TurnRecord;
  /** The LLM's output before the turn was certain. */
  readonly preemptive: PreemptiveOutput;
}

type ReplyEvent =
  | TurnEvent
  | DeliveryDone
  | DeliveryGaveUp
  | ToolCallAnswered
  | { readonly type: `xstate.done.actor.call-${string}` };

/** The meaning of the names in the table of `reply-machine.ts`. */
export const replySetup = actorSetup({
  types: {} as { context: Context; events: ReplyEvent; input: ReplyInput },
  actors: { delivery: deliveryMachine, toolCall: toolCallMachine },
}).extend({
  guards: {
    isPreemptive: ({ context }) => context.input.tentative !== null,
    isMine: ({ context, event }) => isMine(context, event),
    /** The LLM has failed, and another request may succeed. */
    isWorthAnotherAttempt: ({ context, event }) =>
      event.type === 'llm.failed' && isMine(context, event) && mayRetry(event.askAgain, context.attempts),
    /** The reply has reached its longest text. */
    saidEnough: ({ context }) => context.text.isFull,
    /** The LLM has sent more than one answer may have. */
    readEnough: ({ context }) => context.output.received > MAX_ANSWER_LENGTH,
    /** Nothing that can be spoken, and no calls. After calls, the LLM may have said and done all. */
    isEmpty: ({ context: { input, output } }) =>
      input.kind !== 'result' && input.kind !== 'own' && output.step === 0 && output.saidText.trim() === '',
    hasCalls: ({ context }) => context.calls.length > 0,
    isFloorFree: ({ context }) => context.floor === 'free',
    allAnswered: ({ context }) => context.answers.length >= context.calls.length,
    llmGoesOn: ({ context }) => context.effect.kind === 'none',
    stopsSpeaking: ({ context }) => context.effect.kind === 'stop-speaking',
    /** Of a tool that ran on a server. A client knows itself what its tools gave. */
    isOfServerTool: ({ context: { env, calls }, event }) => {
      const call = calls.find(({ id }) => event.type === 'call.answered' && event.answer.callId === id);
      const tool = sessionTools(env).find(({ name }) => name === call?.name);
      return tool !== undefined && tool.kind !== 'client' && tool.kind !== 'system';
    },
    nothingRuns: ({ context }) => context.running === 0,
  },
  actions: {
    ask: enqueueActions(({ context: { env, input, tools, output }, enqueue }) => {
      const { tentative, instruction, correlationId } = input;
      const specs = tools === 'allowed' ? toolSpecs(env) : [];
      enqueue.assign({
        calls: [],
        answers: [],
        text: readerAfter(env, output),
        record: ({ context }) => mark(context.record, 'llmRequestedAt', env.now()),
        requestId: requestLlm(env, correlationId, {
          tentative,
          instruction,
          tools: specs,
          said: output.stepText,
          mayBeEmpty: input.kind === 'result' || input.kind === 'own',
        }),
      });
    }),
    cancelLlm: ({ context: { env, requestId } }) => env.perform({ type: 'llm.cancel', requestId }),
    keepPreemptive: enqueueActions(({ context, event, enqueue }) => {
      const preemptive = keep(context.preemptive, context.text, event as LlmEvent);
      prepareVoice(context, preemptive);
      enqueue.assign({
        preemptive,
        output: countReceived(context.output, event as LlmEvent),
        record: markLlm(context, event),
      });
    }),
    confirm: assign({
      input: ({ context, event }) =>
        event.type === 'turn.confirm'
          ? { ...context.input, tentative: null, userText: event.userText, marks: event.marks }
          : context.input,
      record: ({ context, event }) =>
        event.type === 'turn.confirm' ? markUser(context.record, event.marks) : context.record,
    }),
    releasePreemptive: enqueueActions(({ context: { env, messageId, output, preemptive, record }, enqueue }) => {
      const routed = route(env, messageId, output, preemptive.parts);
      const speaks = routed.toDelivery.some((told) => told.type === 'delivery.say');
      enqueue.assign({
        output: routed.output,
        preemptive: NOTHING_YET,
        record: speaks ? mark(record, 'synthesisStartedAt', env.now()) : record,
      });
      for (const told of routed.toDelivery) enqueue.sendTo('delivery', told);
      for (const event of preemptive.later) enqueue.raise(event);
    }),
    openDelivery: spawnChild('delivery', {
      id: 'delivery',
      input: ({ context: { env, input, floor, messageId } }: { context: Context }) => ({
        env,
        messageId,
        correlationId: input.correlationId,
        isTalk: false,
        language: env.memory.spokenLanguage,
        open: floor === 'free',
      }),
    }),
    noteFloor: assign({
      floor: ({ context: { floor }, event }) => {
        if (event.type === 'turn.open') return 'free';
        return event.type === 'turn.shut' && event.by === 'user' ? 'taken' : floor;
      },
    }),
    noteLlm: assign({ record: ({ context, event }) => markLlm(context, event) }),
    takeText: enqueueActions(({ context: { env, text, messageId, output, record }, event, enqueue }) => {
      const parts = event.type === 'llm.text' ? readText(text, event) : text.end();
      const routed = route(env, messageId, countReceived(output, event as LlmEvent), parts);
      const speaks = routed.toDelivery.some((told) => told.type === 'delivery.say');
      enqueue.assign({
        output: routed.output,
        record: speaks ? mark(record, 'synthesisStartedAt', env.now()) : record,
      });
      for (const told of routed.toDelivery) enqueue.sendTo('delivery', told);
    }),
    /**
     * The stream has paused or broken off, or it goes on with tool calls. Complete sentences are said now. What remains
     * waits for the rest; after a failure, it comes again with the rest.
     */
    sayWholeSentences: enqueueActions(({ context: { env, text, messageId, output, record }, enqueue }) => {
      const routed = route(env, messageId, output, text.settle(true));
      const speaks = routed.toDelivery.some((told) => told.type === 'delivery.say');
      enqueue.assign({
        output: routed.output,
        record: speaks ? mark(record, 'synthesisStartedAt', env.now()) : record,
      });
      for (const told of routed.toDelivery) enqueue.sendTo('delivery', told);
    }),
    /** The same, of an answer that may not be spoken yet. */
    keepWholeSentences: enqueueActions(({ context, enqueue }) => {
      const preemptive = keepParts(context.preemptive, context.text.settle(true));
      prepareVoice(context, preemptive);
      enqueue.assign({ preemptive });
    }),
    countAttempt: assign({
      attempts: ({ context: { env, attempts }, event }) => {
        if (event.type === 'llm.failed' && event.askAgain !== undefined) warnRetried(env, event.askAgain, attempts + 1);
        return attempts + 1;
      },
    }),
    takeReasoning: assign({
      output: ({ context: { env, messageId, output }, event }) =>
        event.type === 'llm.reasoning'
          ? showReasoning(env, messageId, countReceived(output, event as LlmEvent), event.text)
          : output,
    }),
    endReasoning: assign({ output: ({ context: { env, messageId, output } }) => endReasoning(env, messageId, output) }),
    takeCall: assign({
      calls: ({ context, event }) =>
        event.type === 'llm.toolCall' && context.tools === 'allowed'
          ? [...context.calls, { ...event.call, id: `fc_${context.env.ids.uuid()}`, providerId: event.call.id }]
          : context.calls,
    }),
    dropCalls: assign({ calls: [] }),
    apologise: enqueueActions(({ context: { env, input, messageId, output }, event, enqueue }) => {
      const noAnswer = output.received > MAX_ANSWER_LENGTH ? 'its answer does not end' : 'no answer';
      tellLlmFailed(env, event.type === 'llm.failed' ? event.message : noAnswer);
      // There is no apology after a part of the answer, nor for what nobody asked for: it would come again and again.
      if (output.saidText !== '' || !isAwaited(input.kind)) return;
      const routed = apology(env, messageId, output);
      enqueue.assign({ output: routed.output, spokenAs: 'apology' });
      for (const told of routed.toDelivery) enqueue.sendTo('delivery', told);
    }),
    /** A user who asked hears that there is no answer. Greetings and prompts are simply left out. */
    tellEmpty: enqueueActions(({ context: { env, input, messageId, output }, enqueue }) => {
      // An agent may leave something unanswered.
      if (isHostedAgent(env.config)) return;
      tellEmptyAnswer(env, input.kind);
      if (input.kind !== 'answer') return;
      const routed = apology(env, messageId, output);
      enqueue.assign({ output: routed.output, spokenAs: 'apology' });
      for (const told of routed.toDelivery) enqueue.sendTo('delivery', told);
    }),
    /** All calls are announced before the first one runs, in the order in which the LLM made them. */
    startCalls: enqueueActions(({ context, enqueue }) => {
      const { env, input, messageId, output, calls } = context;
      const round = beginToolRound(env, {
        messageId,
        step: output.step,
        stepText: output.stepText,
        calls,
        loop: context.toolLoop,
      });
      const made = toolCalls(round.allowed, input);
      enqueue.assign({
        toolLoop: round.loop,
        answers: round.refused,
        tools: round.refused.length > 0 ? 'used-up' : context.tools,
        record: made.reduce((record, call) => addToolCall(record, call.callId), context.record),
        running: context.running + made.length,
      });
      for (const call of made) enqueue.spawnChild('toolCall', { id: callActorId(call.callId), input: { env, call } });
      for (const call of made) enqueue.sendTo(callActorId(call.callId), { type: 'call.go' });
    }),
    takeAnswer: assign({
      answers: ({ context, event }) =>
        event.type === 'call.answered' ? [...context.answers, event.answer] : context.answers,
      effect: ({ context, event }) =>
        event.type === 'call.answered' ? strongerEffect(context.effect, event.answer.effect) : context.effect,
    }),
    rememberAnswer: ({ context: { env }, event }) => {
      if (event.type === 'call.answered')
        env.memory.history = setToolOutput(env.memory.history, event.answer.callId, event.answer.output);
    },
    noteUnfinished: assign({ unfinished: ({ context }) => context.output.step }),
    tellAsked: ({ context }) => context.env.tell({ type: 'persona.asksLlm' }),
    tellLateResult: ({ context }) => context.env.tell({ type: 'tool.lateResult' }),
    noteCallOver: assign({ running: ({ context }) => context.running - 1 }),
    nextStep: assign({ output: ({ context: { output } }) => nextStep(output) }),
    tellCutShort: ({ context: { env, output } }) => tellCutShort(env, output),
    completeDelivery: sendTo('delivery', { type: 'delivery.complete' } satisfies DeliveryEvent),
    forwardControl: enqueueActions(({ event, enqueue }) => {
      const told = deliveryControl(event as TurnControl);
      if (told !== null) enqueue.sendTo('delivery', told);
    }),
    abortDelivery: sendTo('delivery', { type: 'delivery.abort' } satisfies DeliveryEvent),
    noteSpeech: assign({
      record: ({ context, event }) => markSpeech(context.record, event as BusEvent, context.env.now()),
    }),
    close: ({ context, event }) =>
      closeReply(
        context.env,
        {
          record: context.record,
          userText: context.input.userText,
          unfinished: context.unfinished,
          spokenAs: context.spokenAs,
        },
        (event as DeliveryDone).output,
      ),
    tellLeft: sendParent(({ context, event }): TurnLeft => ({
      type: 'turn.left',
      effect: context.effect,
      interrupted: (event as DeliveryDone).output.interrupted,
    })),
  },
  delays: {
    llmStalled: LLM_STALLED_MS,
    streamPause: STREAM_PAUSE_MS,
    beforeAttempt: ({ context, event }) =>
      event.type === 'llm.failed' && event.askAgain !== undefined ? retryDelayMs(event.askAgain, context.attempts) : 0,
  },
});

/** Its first words may be synthesized while the turn is not certain. They are the same ones then. */
function prepareVoice({ env, preemptive }: Context, now: PreemptiveOutput): void {
  const text = firstWords(now);
  if (text === null || firstWords(preemptive) !== null) return;
  const language = env.memory.spokenLanguage ?? env.memory.guessedLanguage ?? 'en';
  env.perform({ type: 'speech.prepare', text, language });
}

function isMine({ requestId }: Context, event: ReplyEvent): boolean {
  return 'requestId' in event && event.requestId === requestId;
}

function markLlm({ record, env }: Context, event: ReplyEvent): TurnRecord {
  const first = mark(record, 'llmFirstOutputAt', env.now());
  return event.type === 'llm.done' || event.type === 'llm.failed' ? mark(first, 'llmFinalOutputAt', env.now()) : first;
}

/** Whether the user waits for it: their answer, or the first words of the persona. */
function isAwaited(kind: ReplyInput['kind']): boolean {
  return kind === 'answer' || kind === 'greet';
}

function apology(env: SessionEnvironment, messageId: string, output: LlmOutput): Routed {
  const text = standardSentence('apology', env.memory.spokenLanguage);
  return route(env, messageId, output, [{ kind: 'segment', text, lead: '', cues: [] }]);
}

function callActorId(callId: string): string {
  return `call-${callId}`;
}

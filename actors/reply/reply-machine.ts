import { openTurn } from '../report-builder/turn-timings.ts';
import { NEW_TOOL_LOOP } from '../tools/tool-loop-limit.ts';
import { markUser } from './close-reply.ts';
import { NO_OUTPUT, readerAfter } from './llm-output.ts';
import { NOTHING_YET } from './preemptive-output.ts';
import { NO_EFFECT } from './tool-call.ts';
import { replySetup } from './reply-actions.ts';

/** Actions for when no further output of the LLM is wanted. */
const STOP_READING = ['cancelLlm', 'dropCalls', 'endReasoning'] as const;

/** One answer of the LLM, perhaps generated preemptively, with its rounds of tools, until its last word is heard. */
export const replyMachine = replySetup.createMachine({
  id: 'reply',
  context: ({ input }) => {
    const base = {
      env: input.env,
      input,
      messageId: input.env.ids.uuid(),
      requestId: '',
      output: NO_OUTPUT,
      attempts: 0,
      calls: [],
      answers: [],
      toolLoop: NEW_TOOL_LOOP,
      tools: 'allowed' as const,
      effect: NO_EFFECT,
      running: 0,
      unfinished: null,
      spokenAs: 'answer' as const,
      floor: input.open ? ('free' as const) : ('taken' as const),
      preemptive: NOTHING_YET,
      record: markUser(openTurn(input.turnIndex, input.correlationId), input.marks),
    };
    return { ...base, text: readerAfter(input.env, NO_OUTPUT) };
  },
  entry: 'join',
  initial: 'begun',
  on: { 'xstate.done.actor.*': { actions: 'noteCallOver' } },
  states: {
    begun: { always: [{ guard: 'isPreemptive', target: 'preemptive' }, 'certain'] },
    /** Preemptive: the user may continue, so nothing is stored, spoken or called. */
    preemptive: {
      entry: 'ask',
      initial: 'listening',
      states: {
        listening: {
          always: [
            { guard: 'saidEnough', target: 'stopped' },
            { guard: 'readEnough', target: 'stopped' },
          ],
          after: { streamPause: { actions: 'keepWholeSentences' } },
          on: {
            'llm.text': { guard: 'isMine', target: 'listening', reenter: true, actions: 'keepPreemptive' },
            'llm.reasoning': { guard: 'isMine', actions: 'keepPreemptive' },
            'llm.toolCall': { guard: 'isMine', actions: 'keepPreemptive' },
            'llm.done': { guard: 'isMine', actions: 'keepPreemptive' },
            'llm.failed': { guard: 'isMine', actions: 'keepPreemptive' },
            'turn.cancel': { target: '#reply.over', actions: 'cancelLlm' },
          },
        },
        /** The reply has reached its longest text. */
        stopped: { entry: 'cancelLlm', on: { 'turn.cancel': '#reply.over' } },
      },
      on: {
        'turn.open': { actions: 'noteFloor' },
        'turn.shut': { actions: 'noteFloor' },
        'turn.confirm': {
          target: 'certain.thinking.listening',
          actions: ['confirm', 'tellAsked', 'openDelivery', 'releasePreemptive'],
        },
      },
    },
    certain: {
      initial: 'starting',
      on: {
        'turn.open': { actions: ['noteFloor', 'forwardControl'] },
        'turn.shut': { actions: ['noteFloor', 'forwardControl'] },
        'turn.suspend': { actions: 'forwardControl' },
        'turn.interrupt': { target: 'ceasing', actions: 'abortDelivery' },
        'speech.firstAudio': { actions: 'noteSpeech' },
        'speech.timing': { actions: 'noteSpeech' },
        'speech.started': { actions: 'noteSpeech' },
        'speech.finished': { actions: 'noteSpeech' },
        'call.answered': { actions: ['takeAnswer', 'rememberAnswer'] },
        'xstate.done.actor.delivery': { target: 'winding', actions: ['close', 'tellLeft'] },
      },
      states: {
        starting: { entry: 'openDelivery', always: 'thinking' },
        thinking: {
          initial: 'asking',
          on: {
            'turn.interrupt': {
              target: '#reply.ceasing',
              actions: ['cancelLlm', 'endReasoning', 'noteUnfinished', 'abortDelivery'],
            },
            /** TTS fails, so the LLM need not go on. */
            'delivery.gaveUp': { target: '#reply.certain.speaking', actions: [...STOP_READING] },
          },
          states: {
            asking: { entry: ['ask', 'tellAsked'], always: 'listening' },
            listening: {
              always: [
                { guard: 'saidEnough', target: '#reply.certain.speaking', actions: [...STOP_READING, 'tellCutShort'] },
                { guard: 'readEnough', target: '#reply.certain.speaking', actions: [...STOP_READING, 'apologise'] },
              ],
              after: {
                streamPause: { actions: 'sayWholeSentences' },
                llmStalled: { target: '#reply.certain.speaking', actions: [...STOP_READING, 'apologise'] },
              },
              on: {
                'llm.text': { guard: 'isMine', target: 'listening', reenter: true, actions: ['noteLlm', 'takeText'] },
                'llm.reasoning': {
                  guard: 'isMine',
                  target: 'listening',
                  reenter: true,
                  actions: ['noteLlm', 'takeReasoning'],
                },
                'llm.toolCall': { guard: 'isMine', actions: ['noteLlm', 'sayWholeSentences', 'takeCall'] },
                'llm.done': { guard: 'isMine', target: 'understood', actions: ['noteLlm', 'takeText', 'endReasoning'] },
                'llm.failed': [
                  {
                    guard: 'isWorthAnotherAttempt',
                    target: 'askingAgain',
                    actions: ['sayWholeSentences', 'dropCalls', 'endReasoning', 'countAttempt'],
                  },
                  {
                    guard: 'isMine',
                    target: '#reply.certain.speaking',
                    actions: ['noteLlm', 'takeText', 'dropCalls', 'endReasoning', 'apologise'],
                  },
                ],
              },
            },
            /** It failed: another one, or the same one, is asked for the answer or for the rest of it. */
            askingAgain: { after: { beforeAttempt: 'asking' } },
            understood: {
              always: [
                { guard: 'hasCalls', target: '#reply.certain.awaitingFloor' },
                { guard: 'isEmpty', target: '#reply.certain.speaking', actions: 'tellEmpty' },
                '#reply.certain.speaking',
              ],
            },
          },
        },
        /**
         * A user who speaks now may be correcting the request: the calls wait until the sound proves to be nothing. If it
         * is a message, they are never made.
         */
        awaitingFloor: { always: { guard: 'isFloorFree', target: 'calling' } },
        calling: {
          entry: 'startCalls',
          always: { guard: 'allAnswered', target: 'called' },
        },
        called: {
          always: [
            { guard: 'llmGoesOn', target: 'thinking', actions: 'nextStep' },
            { guard: 'stopsSpeaking', target: '#reply.ceasing', actions: 'abortDelivery' },
            { target: 'speaking' },
          ],
        },
        speaking: { entry: 'completeDelivery' },
      },
    },
    /** Interrupted: the speech stops. Tools continue to their end. */
    ceasing: {
      on: {
        'call.answered': [
          { guard: 'isOfServerTool', actions: ['takeAnswer', 'rememberAnswer', 'tellLateResult'] },
          { actions: ['takeAnswer', 'rememberAnswer'] },
        ],
        'speech.firstAudio': { actions: 'noteSpeech' },
        'xstate.done.actor.delivery': { target: 'winding', actions: ['close', 'tellLeft'] },
      },
    },
    winding: {
      always: { guard: 'nothingRuns', target: 'over' },
      on: {
        'call.answered': [
          { guard: 'isOfServerTool', actions: ['rememberAnswer', 'tellLateResult'] },
          { actions: 'rememberAnswer' },
        ],
      },
    },
    over: { type: 'final' },
  },
});

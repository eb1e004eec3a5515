import { openTurn } from '../report-builder/turn-timings.ts';
import { ReplyText } from '../text/reply-text.ts';
import { NO_TEXT } from './given-text.ts';
import { talkSetup } from './talk-actions.ts';

/** How many sentences are cut ahead: a minute of speech, or 10 s of the shortest sentences. */
const SENTENCES_AHEAD = 16;
const ONE_MORE = { type: 'feed', params: { enough: 1 } } as const;
const AHEAD = { type: 'feed', params: { enough: SENTENCES_AHEAD } } as const;

/**
 * Speaks given text without the LLM: a fixed greeting, a talk command or stream, the goodbye. It is spoken sentence by
 * sentence as it arrives.
 */
export const talkMachine = talkSetup.createMachine({
  id: 'talk',
  context: ({ input }) => ({
    env: input.env,
    input,
    messageId: input.env.ids.uuid(),
    given: NO_TEXT,
    record: openTurn(input.turnIndex, input.correlationId),
    unfinished: null,
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
      on: {
        'talk.pieces': { actions: ['takePieces', AHEAD] },
        'talk.more': { actions: AHEAD },
        'talk.paused': { actions: 'settle' },
        'talk.complete': 'ending',
        'speech.started': { actions: ['noteSpeech', ONE_MORE] },
        'speech.failed': { actions: ONE_MORE },
        'turn.interrupt': { actions: ['noteUnfinished', 'abortDelivery'] },
        'delivery.gaveUp': { target: 'complete', actions: 'completeDelivery' },
      },
    },
    /** No more text comes. The rest is spoken. */
    ending: {
      always: { guard: 'isAllCut', target: 'complete', actions: ['sayRest', 'completeDelivery'] },
      on: {
        'talk.more': { actions: AHEAD },
        'speech.started': { actions: ['noteSpeech', ONE_MORE] },
        'speech.failed': { actions: ONE_MORE },
        'turn.interrupt': { actions: ['noteUnfinished', 'abortDelivery'] },
        'delivery.gaveUp': { target: 'complete', actions: 'completeDelivery' },
      },
    },
    complete: {},
    over: { type: 'final' },
  },
});

import { openMessage, spokenSteps } from './persona-message.ts';
import { deliverySetup } from './delivery-actions.ts';

/** Delivers one message of the persona through TTS, and knows to the word what the user heard. */
export const deliveryMachine = deliverySetup.createMachine({
  id: 'delivery',
  context: ({ input }) => ({
    env: input.env,
    message: openMessage(input),
    arrivedUpTo: null,
    interrupted: false,
    audible: 'no',
    warned: 'no',
    failures: 0,
    startsOpen: input.open,
  }),
  entry: 'join',
  output: ({ context: { message, interrupted } }) => ({
    messageId: message.messageId,
    steps: spokenSteps(message),
    interrupted,
    startedAt: message.startedAt,
    endedAt: message.endedAt,
  }),
  initial: 'alive',
  states: {
    alive: {
      type: 'parallel',
      always: [{ guard: 'isDelivered', target: 'over' }],
      states: {
        text: {
          initial: 'coming',
          states: { coming: { on: { 'delivery.complete': 'complete' } }, complete: {} },
        },
        permission: {
          initial: 'unknown',
          states: {
            unknown: { always: [{ guard: 'startsOpen', target: 'granted' }, 'withheld'] },
            granted: { on: { 'delivery.shut': 'withheld' } },
            withheld: { on: { 'delivery.open': 'granted' } },
          },
        },
        audio: {
          initial: 'shut',
          states: {
            /** No segment of the message is in TTS or playing. */
            shut: {
              entry: 'follow',
              always: { guard: 'isPermitted', target: 'open' },
              on: {
                'delivery.say': { actions: 'queue' },
                'delivery.retract': { actions: 'forget' },
                'delivery.abort': { target: '#delivery.over', actions: ['noteAbort', 'noteLost'] },
                'connection.responsive': { actions: 'follow' },
              },
            },
            open: {
              entry: ['sayUnsaid', 'follow'],
              on: {
                'delivery.say': [
                  { guard: 'wouldTalkOver', target: 'shut', actions: 'queue' },
                  { actions: ['queue', 'sayUnsaid', 'follow'] },
                ],
                'speech.started': { guard: 'isMine', actions: ['noteSpeech', 'tellCue', 'follow'] },
                'speech.timing': { guard: 'isMine', actions: ['noteSpeech', 'follow'] },
                'speech.resumed': { guard: 'isMine', actions: ['noteSpeech', 'follow'] },
                'speech.finished': { guard: 'isMine', actions: ['noteSpeech', 'countFailures', 'sayUnsaid', 'follow'] },
                'speech.failed': [
                  {
                    guard: 'isLastFailure',
                    actions: ['noteSpeech', 'warnOnce', 'cutVoice', 'giveUp', 'follow', 'logGaveUp', 'tellGaveUp'],
                  },
                  { guard: 'isMine', actions: ['noteSpeech', 'countFailures', 'warnOnce', 'sayUnsaid', 'follow'] },
                ],
                'delivery.captionDue': { actions: 'follow' },
                'connection.responsive': { actions: 'follow' },
                'delivery.stalled': { actions: ['cutVoice', 'giveUp', 'follow', 'logGaveUp', 'tellGaveUp'] },
                /**
                 * Segments that are not heard yet are taken back. A segment that is heard plays until the floor
                 * decides.
                 */
                'delivery.shut': [
                  { guard: 'isHeard' },
                  { guard: 'nothingOutstanding', target: 'shut' },
                  { target: 'stopping', actions: ['noteStop', 'cutVoice'] },
                ],
                'delivery.suspend': { target: 'stopping', actions: ['noteStop', 'cutVoice'] },
                'delivery.retract': { target: 'stopping.toForget', actions: ['noteStop', 'cutVoice'] },
                'delivery.abort': [
                  { guard: 'nothingOutstanding', target: '#delivery.over', actions: ['noteAbort', 'noteLost'] },
                  { target: 'stopping.forGood', actions: ['noteAbort', 'cutVoice'] },
                ],
              },
            },
            stopping: {
              initial: 'toWait',
              on: {
                'delivery.say': { actions: 'queue' },
                'speech.finished': { guard: 'isMine', actions: 'noteSpeech' },
                'speech.timing': { guard: 'isMine', actions: 'noteSpeech' },
                'speech.resumed': { guard: 'isMine', actions: 'noteSpeech' },
              },
              states: {
                toWait: {
                  after: {
                    cutAnswer: { target: '#delivery.alive.audio.shut', actions: ['estimateCut', 'follow', 'takeBack'] },
                  },
                  on: {
                    'speech.cut': { target: '#delivery.alive.audio.shut', actions: ['noteCut', 'follow', 'takeBack'] },
                    'delivery.abort': { target: 'forGood', actions: 'noteAbort' },
                    'delivery.retract': 'toForget',
                  },
                },
                toForget: {
                  after: {
                    cutAnswer: { target: '#delivery.alive.audio.shut', actions: ['estimateCut', 'follow', 'forget'] },
                  },
                  on: {
                    'speech.cut': { target: '#delivery.alive.audio.shut', actions: ['noteCut', 'follow', 'forget'] },
                    'delivery.abort': { target: 'forGood', actions: 'noteAbort' },
                  },
                },
                forGood: {
                  after: { cutAnswer: { target: '#delivery.over', actions: 'estimateCut' } },
                  on: { 'speech.cut': { target: '#delivery.over', actions: 'noteCut' } },
                },
              },
            },
          },
        },
      },
    },
    over: { type: 'final', entry: ['follow', 'stopFollowing', 'sendLast'] },
  },
});

import { FIRST_GUESS_MS } from './early-transcript.ts';
import { UNKNOWN_RHYTHM } from './pause-rhythm.ts';
import { openTurn } from './user-turn.ts';
import { userTurnSetup } from './user-turn-actions.ts';

/** One turn of the user: talking, then pausing. It ends as a message, or is dropped if it has no words. */
export const userTurnMachine = userTurnSetup.createMachine({
  id: 'userTurn',
  context: ({ input }) => ({
    env: input.env,
    rhythm: UNKNOWN_RHYTHM,
    recognizerLatencyMs: FIRST_GUESS_MS,
    finalTookMs: FIRST_GUESS_MS,
    persona: 'idle',
    inaudibleAt: -Infinity,
    tools: new Set<string>(),
    turn: openTurn('', 0, 'alone'),
    wordsAt: 0,
    partialsKnown: false,
    dropped: null,
    awaited: [],
  }),
  entry: 'join',
  initial: 'idle',
  on: {
    'persona.busy': { actions: 'noteBusy' },
    'persona.idle': { actions: 'noteIdle' },
    'persona.audible': { actions: 'noteAudible' },
    'persona.inaudible': { actions: 'noteInaudible' },
    'tool.begun': { actions: 'noteTool' },
    'tool.over': { actions: 'noteToolOver' },
    'floor.yield': { actions: 'noteYield' },
  },
  states: {
    idle: {
      always: { guard: 'isOnlyHeard', actions: ['reportDropped', 'forgetDropped'] },
      on: {
        'vad.started': {
          target: 'talking',
          actions: ['reportDropped', 'begin', { type: 'sendMark', params: { mark: 'userSpeechStarted' } }],
        },
        'persona.inaudible': {
          guard: 'answersQuestion',
          actions: ['noteInaudible', 'tellLateAnswer', 'forgetDropped'],
        },
        'persona.idle': { guard: 'answersStatement', actions: ['noteIdle', 'tellLateAnswer', 'forgetDropped'] },
        'stt.final': { guard: 'isLateFinal', actions: 'tellLateTranscript' },
        'session.ending': { actions: ['reportDropped', 'forgetDropped'] },
        'stt.partial': { guard: 'isNewText', actions: 'tellWords' },
      },
    },
    talking: {
      initial: 'speaking',
      // Each new word begins this anew.
      after: { withoutWords: { actions: 'tellBackground' } },
      states: {
        speaking: { on: { 'endOfTurn.predicted': { guard: 'saysOver', target: 'saidOver' } } },
        /** The recognizer says that the turn is over. If no more words come, what is heard is not the user. */
        saidOver: { after: { afterSaidOver: { actions: 'tellBackground' } } },
      },
      on: {
        'persona.audible': { actions: ['noteAudible', 'noteOverlap'] },
        'persona.inaudible': { guard: 'endsQuestion', actions: ['noteInaudible', 'noteAnswer'] },
        'persona.idle': { guard: 'endsStatement', actions: ['noteIdle', 'noteEnd'] },
        'stt.partial': [
          { guard: 'isNewText', target: 'talking', reenter: true, actions: ['takePartial', 'noteWords'] },
          { actions: 'takePartial' },
        ],
        'stt.final': [
          { guard: 'isLateFinal', actions: 'takeLateTranscript' },
          { guard: 'isAwaitedFinal', actions: 'takeFinal' },
        ],
        'session.ending': { actions: 'reportOpen' },
        'vad.faint': { guard: 'isFaintWithoutWords', actions: 'tellBackground' },
        'vad.stopped': {
          target: 'pausing',
          actions: ['noteStop', { type: 'sendMark', params: { mark: 'userSpeechEnded' } }, 'askModel'],
        },
      },
    },
    pausing: {
      type: 'parallel',
      // Noted before the level of the turn is learned: with that, the verdict on it may be another.
      always: { guard: 'isOver', target: 'idle', actions: ['noteDropped', 'settle', 'fadeRhythm'] },
      on: {
        'vad.started': {
          target: 'talking',
          actions: ['tellResumed', 'resume', { type: 'sendMark', params: { mark: 'userSpeechStarted' } }],
        },
        'floor.keep': { actions: 'noteKeep' },
        'session.ending': { actions: 'reportOpen' },
        'persona.inaudible': { guard: 'endsQuestion', actions: ['noteInaudible', 'noteAnswer'] },
        'persona.idle': { guard: 'endsStatement', actions: ['noteIdle', 'noteEnd'] },
      },
      states: {
        words: {
          initial: 'unasked',
          states: {
            unasked: {
              entry: ['tellCertain', 'generatePreemptively', 'notePreemptiveText'],
              initial: 'early',
              states: {
                early: { after: { untilFinalIsNeeded: 'due' } },
                /** The final is needed soon, but the sound of the pause is late: its words may go on in it. */
                due: {
                  always: { guard: 'pauseWasHeard', target: '#userTurn.pausing.words.transcribing' },
                  after: { nextLook: { target: 'due', reenter: true } },
                },
              },
              on: {
                'floor.undecided': 'transcribing',
                'vad.faded': { target: 'unasked', reenter: true },
                /** No interruption, and no final was requested: it is read for the transcript, or dropped. */
                'floor.keep': [
                  {
                    guard: 'isWorthReading',
                    target: '#userTurn.idle',
                    actions: [
                      'noteKeep',
                      'askFinal',
                      'noteFinalAsked',
                      'awaitTranscript',
                      'noteDropped',
                      'noteIgnored',
                      'tellDropped',
                    ],
                  },
                  {
                    target: '#userTurn.idle',
                    actions: [
                      'noteKeep',
                      'awaitTranscript',
                      'noteDropped',
                      'noteIgnored',
                      'forgetWords',
                      'tellDropped',
                    ],
                  },
                ],
                'stt.partial': { target: 'unasked', reenter: true, actions: 'takePartial' },
                'endOfTurn.predicted': { target: 'unasked', reenter: true, actions: 'takeVerdict' },
                'stt.final': [
                  { guard: 'isLateFinal', target: 'unasked', reenter: true, actions: 'takeLateTranscript' },
                  { guard: 'isAwaitedFinal', target: 'unasked', reenter: true, actions: 'takeFinal' },
                ],
              },
            },
            transcribing: {
              entry: ['askFinal', 'noteFinalAsked'],
              initial: 'reading',
              states: {
                reading: {
                  after: {
                    finalTimeout: {
                      target: '#userTurn.pausing.words.understood',
                      actions: ['awaitTranscript', 'takePartialAsFinal'],
                    },
                  },
                },
              },
              on: {
                // A recognizer that is behind, and goes on, is waited for anew.
                'stt.final': [
                  { guard: 'isLateFinal', target: '.reading', actions: 'takeLateTranscript' },
                  { guard: 'isLastFinal', target: 'understood', actions: 'takeFinal' },
                  { target: '.reading', actions: 'takeFinal' },
                ],
                'stt.failed': { target: 'understood', actions: 'takePartialAsFinal' },
                'stt.partial': { actions: 'takePartial' },
                'endOfTurn.predicted': { actions: 'takeVerdict' },
              },
            },
            understood: {
              entry: ['tellCertain', 'generatePreemptively', 'notePreemptiveText'],
              on: {
                'endOfTurn.predicted': { target: 'understood', reenter: true, actions: 'takeVerdict' },
                'stt.final': {
                  guard: 'isLateFinal',
                  target: 'understood',
                  reenter: true,
                  actions: 'takeLateTranscript',
                },
              },
            },
          },
        },
        stretchedWait: {
          initial: 'waiting',
          states: {
            waiting: {
              after: { restOfWait: [{ guard: 'silenceWasHeard', target: 'over' }, { target: 'unheard' }] },
              on: {
                'stt.partial': { target: 'waiting', reenter: true },
                'stt.final': { target: 'waiting', reenter: true },
                'endOfTurn.predicted': { target: 'waiting', reenter: true },
              },
            },
            /** The wait is over, but its last audio has not arrived: the user may have continued. */
            unheard: {
              always: [
                { guard: 'silenceWasHeard', target: 'over' },
                { guard: 'audioIsLost', target: 'over' },
              ],
              // This state is rare. A timer costs less than an event for each of the 31 windows a second.
              after: { nextLook: { target: 'unheard', reenter: true } },
            },
            /** The final text is late, and may ask for a longer wait. */
            over: { on: { 'stt.final': 'waiting' } },
          },
        },
        /** A voice is suspected just as the wait ends: wait until that is known. */
        hint: {
          initial: 'none',
          /** Words of a voice that was taken for the room's. */
          on: { 'stt.partial': { guard: 'isNewText', actions: 'tellWords' } },
          states: { none: { on: { 'vad.suspected': 'suspected' } }, suspected: { on: { 'vad.faded': 'none' } } },
        },
      },
    },
  },
});

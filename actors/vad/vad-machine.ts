import { vadSetup, nothing } from './vad-actions.ts';
import { SILENT_ROOM } from './vad-segmenter.ts';

/** The user has stopped; the voice that goes on is part of the room until it is silent, or words come from it. */
const TO_BACKGROUND = { target: '#listening.quiet', actions: ['tellStoppedBefore', 'noteRoom'] } as const;

/** Voice activity: quiet, maybe speech, speech, maybe done. It knows no words and no turns. */
export const vadMachine = vadSetup.createMachine({
  id: 'listening',
  context: ({ input }) => ({ env: input.env, utterance: nothing, room: SILENT_ROOM }),
  entry: 'join',
  initial: 'quiet',
  states: {
    quiet: {
      on: {
        'vad.window': [
          { guard: 'begins', target: 'maybeSpeech', actions: 'begin' },
          { guard: 'isVoiceOfRoom', actions: 'hearRoom' },
          { guard: 'isRoomForgotten', actions: 'forgetRoom' },
        ],
        'turn.words': { actions: 'forgetRoom' },
      },
    },
    maybeSpeech: {
      initial: 'noticed',
      states: {
        noticed: {
          always: { guard: 'isSuspectNow', target: 'suspected' },
          on: {
            'vad.window': [
              { guard: 'becomesSuspect', target: 'suspected', actions: 'extend' },
              { guard: 'continues', actions: 'extend' },
              { guard: 'gapTooLong', target: '#listening.quiet' },
            ],
          },
        },
        suspected: {
          entry: 'tellSuspected',
          on: {
            'vad.window': [
              { guard: 'confirms', target: '#listening.speech', actions: ['extend', 'tellStarted'] },
              { guard: 'continues', actions: 'extend' },
              { guard: 'gapTooLong', target: '#listening.quiet', actions: 'tellFaded' },
            ],
          },
          after: { windowsStalled: { target: '#listening.quiet', actions: 'tellFaded' } },
        },
      },
    },
    speech: {
      after: { windowsStalled: { target: 'quiet', actions: 'tellStopped' } },
      on: {
        'vad.window': [
          { guard: 'continuesFaintly', target: 'speech', reenter: true, actions: ['extend', 'tellFaint'] },
          { guard: 'continues', target: 'speech', reenter: true, actions: 'extend' },
          { target: 'maybeDone' },
        ],
        'turn.background': TO_BACKGROUND,
      },
    },
    maybeDone: {
      after: { windowsStalled: { target: 'quiet', actions: 'tellStopped' } },
      on: {
        'vad.window': [
          { guard: 'resumes', target: 'speech', actions: 'extend' },
          { guard: 'silentLongEnough', target: 'quiet', actions: 'tellStopped' },
        ],
        'turn.background': TO_BACKGROUND,
      },
    },
  },
});

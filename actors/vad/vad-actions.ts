import { assign } from 'xstate';
import type { BusEvent } from '../kernel/inner-events.ts';
import {
  beginUtterance,
  begins,
  continues,
  endedAt,
  extend,
  hasStopped,
  holeAfter,
  isFaint,
  isSilent,
  isSpeech,
  isSuspect,
  isVoice,
  loudLevelDb,
  meanLevelDb,
  roomOf,
  SILENT_ROOM,
  type Room,
  type Utterance,
} from './vad-segmenter.ts';
import { MAX_GAP_MS, ROOM_FORGOTTEN_MS, WINDOWS_STALLED_MS } from './vad-thresholds.ts';
import type { VadWindow } from './vad-window.ts';
import { actorSetup, tells, type ActorContext } from '../kernel/actor-setup.ts';

interface Context extends ActorContext {
  readonly utterance: Utterance;
  readonly room: Room;
}

export const nothing: Utterance = {
  onsetAt: 0,
  lastVoicedAt: 0,
  heardUntil: 0,
  voicedMs: 0,
  peakDb: -Infinity,
  power: 0,
  certainty: 0,
  loudPower: 0,
  loudWindows: 0,
  faintSince: null,
  faintPeakDb: -Infinity,
};

function windowOf(event: BusEvent): VadWindow {
  return event.type === 'vad.window' ? event : { probability: 0, levelDb: -Infinity, endsAt: 0 };
}

/** What the names in the table of `vad-machine.ts` stand for. */
export const vadSetup = actorSetup({ types: {} as { context: Context } }).extend({
  guards: {
    begins: ({ context, event }) => begins(windowOf(event), context.room),
    confirms: ({ context, event }) =>
      continues(context.utterance, windowOf(event), context.room) &&
      isSpeech(extend(context.utterance, windowOf(event))),
    becomesSuspect: ({ context, event }) =>
      continues(context.utterance, windowOf(event), context.room) &&
      isSuspect(extend(context.utterance, windowOf(event))),
    continues: ({ context, event }) => continues(context.utterance, windowOf(event), context.room),
    resumes: ({ context, event }) =>
      begins(windowOf(event), context.room) && continues(context.utterance, windowOf(event), context.room),
    continuesFaintly: ({ context, event }) =>
      continues(context.utterance, windowOf(event), context.room) &&
      isFaint(extend(context.utterance, windowOf(event))),
    isVoiceOfRoom: ({ context, event }) => !isSilent(context.room) && isVoice(windowOf(event)),
    isRoomForgotten: ({ context, event }) =>
      !isSilent(context.room) && windowOf(event).endsAt - context.room.heardAt > ROOM_FORGOTTEN_MS,
    gapTooLong: ({ context, event }) => holeAfter(context.utterance, windowOf(event)) > MAX_GAP_MS,
    silentLongEnough: ({ context, event }) => hasStopped(context.utterance, windowOf(event)),
    isSuspectNow: ({ context }) => isSuspect(context.utterance),
  },
  actions: {
    begin: assign({ utterance: ({ event }) => beginUtterance(windowOf(event)) }),
    extend: assign({ utterance: ({ context, event }) => extend(context.utterance, windowOf(event)) }),
    tellSuspected: ({ context }) => context.env.tell({ type: 'vad.suspected', onsetAt: context.utterance.onsetAt }),
    tellFaded: tells({ type: 'vad.faded' }),
    tellStarted: ({ context }) => context.env.tell({ type: 'vad.started', onsetAt: context.utterance.onsetAt }),
    tellStopped: ({ context: { env, utterance } }) =>
      env.tell({
        type: 'vad.stopped',
        onsetAt: utterance.onsetAt,
        lastVoicedAt: utterance.lastVoicedAt,
        voicedMs: utterance.voicedMs,
        levelDb: meanLevelDb(utterance),
      }),
    tellFaint: ({ context: { env, utterance } }) =>
      env.tell({ type: 'vad.faint', since: utterance.faintSince ?? utterance.heardUntil }),
    tellStoppedBefore: ({ context: { env, utterance }, event }) => {
      if (event.type !== 'turn.background') return;
      env.tell({ type: 'vad.stopped', ...endedAt(utterance, event.endedAt), levelDb: loudLevelDb(utterance) });
    },
    noteRoom: assign({ room: ({ context }) => roomOf(context.utterance) }),
    hearRoom: assign({ room: ({ context, event }) => ({ ...context.room, heardAt: windowOf(event).endsAt }) }),
    forgetRoom: assign({ room: SILENT_ROOM }),
  },
  delays: { windowsStalled: WINDOWS_STALLED_MS },
});

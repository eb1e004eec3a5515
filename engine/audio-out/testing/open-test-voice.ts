import type { SpeechSynthesizer, TimedUnit } from '../../../models/ports.ts';
import type { EncodedAudioFrame } from '../../media/media-types.ts';
import type { MouthTrack, AudioOutEvent, AudioOutHandlers, AudioOutStream, PassthroughLimits } from '../../ports.ts';
import { createAudioOut } from '../index.ts';
import { SimulatedTimers } from './simulated-timers.ts';

export interface SentFrame extends EncodedAudioFrame {
  /** When it left. */
  readonly leftAt: number;
  readonly pcm: Int16Array | null;
}

export interface VoiceRecord {
  readonly frames: SentFrame[];
  /** Everything else, in order: what happened, to which segment, and where it says so for how long. */
  readonly events: string[];
  readonly mouths: MouthTrack[];
  readonly words: Map<string, TimedUnit[]>;
  readonly warnings: string[];
}

/** A voice on simulated time that records everything it does. */
export function openTestAudioOut(
  synthesizer: SpeechSynthesizer,
  options: {
    passthrough?: boolean;
    passthroughLimits?: PassthroughLimits;
    handlers?: Partial<AudioOutHandlers>;
    timers?: SimulatedTimers;
  } = {},
): { output: AudioOutStream; timers: SimulatedTimers; record: VoiceRecord } {
  const timers = options.timers ?? new SimulatedTimers();
  const record: VoiceRecord = { frames: [], events: [], mouths: [], words: new Map(), warnings: [] };
  const { frames, events, mouths, warnings } = record;
  const voice = createAudioOut({
    synthesizers: { FAKE: synthesizer },
    timers,
    log: { warn: (_fields, message) => warnings.push(message) },
  });
  const output = voice.open({
    sessionId: 'session',
    provider: 'FAKE',
    providerVoiceId: 'tone',
    tuning: {},
    passthrough: options.passthrough ?? false,
    ...(options.passthroughLimits && { passthroughLimits: options.passthroughLimits }),
    handlers: {
      frame: (frame) => frames.push({ ...frame, leftAt: timers.now(), pcm: null }),
      audio: (pcm) => {
        frames[frames.length - 1] = { ...frames.at(-1)!, pcm };
      },
      mouth: (track) => mouths.push(track),
      mouthStopped: (at) => events.push(`mouthStopped ${at - frames[0]!.at}`),
      ...options.handlers,
      report(event) {
        note(event, record);
        options.handlers?.report?.(event);
      },
    },
  });
  return { output, timers, record };
}

function note(event: AudioOutEvent, { events, words }: VoiceRecord): void {
  switch (event.type) {
    case 'speech.timing': {
      const { segmentId } = event;
      words.set(segmentId, [...(words.get(segmentId) ?? []), ...event.words]);
      if (event.complete) events.push(`timed ${segmentId} ${event.durationMs}`);
      return;
    }
    case 'speech.cut':
      return void events.push(`cut ${event.segmentId} ${event.playedMs}`);
    case 'speech.failed':
      return void events.push(`failed ${event.segmentId} ${event.message}`);
    case 'speech.firstAudio':
    case 'speech.started':
    case 'speech.finished':
      return void events.push(`${event.type.slice('speech.'.length)} ${event.segmentId}`);
    case 'passthrough.started':
      return void events.push(event.type);
    case 'passthrough.finished':
      return void events.push(`${event.type} ${event.interrupted}`);
  }
}

/** All sent sound, as one piece. */
export function audioOf(frames: readonly SentFrame[]): Int16Array {
  const pcm = new Int16Array(frames.length * 960);
  frames.forEach((frame, index) => frame.pcm && pcm.set(frame.pcm, index * 960));
  return pcm;
}

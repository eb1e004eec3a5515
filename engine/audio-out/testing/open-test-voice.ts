import type { SpeechSynthesizer, TimedUnit } from '../../../models/ports.ts';
import type { EncodedAudioFrame } from '../../media/media-types.ts';
import type { MouthTrack, AudioOutHandlers, AudioOutStream, PassthroughLimits } from '../../ports.ts';
import { createAudioOut } from '../index.ts';
import { SimulatedTimers } from './simulated-timers.ts';

export interface SentFrame extends EncodedAudioFrame {
  /** When it left. */
  readonly leftAt: number;
  readonly pcm: Int16Array | null;
}

export interface VoiceRecord {
  readonly frames: SentFrame[];
  /** Names and arguments of all other calls, in order. */
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
  const { frames, events, mouths, words, warnings } = record;
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
      firstAudio: (id) => events.push(`firstAudio ${id}`),
      timing(id, more, durationMs, complete) {
        words.set(id, [...(words.get(id) ?? []), ...more]);
        if (complete) events.push(`timed ${id} ${durationMs}`);
      },
      started: (id) => events.push(`started ${id}`),
      finished: (id) => events.push(`finished ${id}`),
      cut: (id, playedMs) => events.push(`cut ${id} ${playedMs}`),
      failed: (id, message) => events.push(`failed ${id} ${message}`),
      passthroughStarted: () => events.push('passthroughStarted'),
      passthroughFinished: (interrupted) => events.push(`passthroughFinished ${interrupted}`),
      mouth: (track) => mouths.push(track),
      mouthStopped: (at) => events.push(`mouthStopped ${at - frames[0]!.at}`),
      ...options.handlers,
    },
  });
  return { output, timers, record };
}

/** All sent sound, as one piece. */
export function audioOf(frames: readonly SentFrame[]): Int16Array {
  const pcm = new Int16Array(frames.length * 960);
  frames.forEach((frame, index) => frame.pcm && pcm.set(frame.pcm, index * 960));
  return pcm;
}

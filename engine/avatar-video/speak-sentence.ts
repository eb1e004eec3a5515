import type { SpeechSynthesizer, SynthesisRequest, TimedUnit } from '../../models/ports.ts';
import type { Timers } from '../clock.ts';
import { runSynthesis } from '../audio-out/tts/synthesis-run.ts';

/** Sound as the synthesizer gave it. */
export interface SpokenChunk {
  readonly pcm: Int16Array<ArrayBuffer>;
  readonly sampleRate: number;
  readonly phonemes: readonly TimedUnit[];
}

/** Nobody is waiting, so a voice that fails is asked again, after these pauses (ms), before the video is given up. */
const RETRY_AFTER_MS = [1_000, 5_000];
/** A sentence that never ends: 300 characters are about 20 s. */
const LONGEST_SENTENCE_MS = 180_000;

/** Synthesizes one sentence as a whole. @throws Error with a message fit for the customer, or the signal's reason. */
export async function speakSentence(
  synthesizer: SpeechSynthesizer,
  request: SynthesisRequest,
  timers: Timers,
  signal: AbortSignal,
): Promise<SpokenChunk[]> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await speakOnce(synthesizer, request, timers, signal);
    } catch (error) {
      const pause = RETRY_AFTER_MS[attempt];
      if (signal.aborted || pause === undefined) throw error;
      await wait(pause, timers, signal);
    }
  }
}

function speakOnce(
  synthesizer: SpeechSynthesizer,
  request: SynthesisRequest,
  timers: Timers,
  signal: AbortSignal,
): Promise<SpokenChunk[]> {
  return new Promise((resolve, reject) => {
    const chunks: SpokenChunk[] = [];
    let audioMs = 0;
    let stop = (): void => {};
    const aborted = (): void => {
      stop();
      reject(signal.reason as Error);
    };
    const over = (how: () => void): void => {
      signal.removeEventListener('abort', aborted);
      how();
    };
    signal.addEventListener('abort', aborted, { once: true });
    stop = runSynthesis(synthesizer, request, timers, {
      chunk({ pcm, sampleRate, phonemes }) {
        // A copy: a synthesizer may hand out views of a buffer that it uses again.
        chunks.push({ pcm: Int16Array.from(pcm), sampleRate, phonemes: phonemes ?? [] });
        audioMs += (pcm.length / sampleRate) * 1000;
        if (audioMs <= LONGEST_SENTENCE_MS) return;
        stop();
        over(() => reject(new Error('The voice made more sound than a sentence has.')));
      },
      ended: () => over(() => resolve(chunks)),
      failed: (message, cause) => over(() => reject(new Error(message, { cause }))),
    });
    if (signal.aborted) aborted();
  });
}

function wait(ms: number, timers: Timers, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = timers.setTimeout(() => {
      signal.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    const aborted = (): void => {
      timers.clearTimeout(timer);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', aborted, { once: true });
  });
}

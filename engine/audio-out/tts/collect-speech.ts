import type { SpeechSynthesizer, SynthesisRequest, TimedUnit } from '../../../models/ports.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { runSynthesis } from './synthesis-run.ts';

/** Sound as the synthesizer gave it. */
export interface SpokenChunk {
  readonly pcm: Int16Array<ArrayBuffer>;
  readonly sampleRate: number;
  readonly phonemes: readonly TimedUnit[];
}

/**
 * Synthesizes one sentence as a whole, in memory.
 * @param longestMs of its sound. @throws Error with a message fit for the customer, or the signal's reason.
 */
export function collectSpeech(
  synthesizer: SpeechSynthesizer,
  request: SynthesisRequest,
  longestMs: number,
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
        if (audioMs <= longestMs) return;
        stop();
        over(() => reject(new Error('The voice made more sound than a sentence has.')));
      },
      ended: () => over(() => resolve(chunks)),
      failed: (message, cause) => over(() => reject(new Error(message, { cause }))),
    });
    if (signal.aborted) aborted();
  });
}

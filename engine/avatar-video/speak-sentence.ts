import type { SpeechSynthesizer, SynthesisRequest } from '../../models/ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import { collectSpeech, type SpokenChunk } from '../audio-out/tts/collect-speech.ts';

/** Nobody is waiting, so a voice that fails is asked again, after these pauses (ms), before the video is given up. */
const RETRY_AFTER_MS = [1_000, 5_000];
/** A sentence that never ends: 300 characters are about 20 s. */
const MAX_SENTENCE_MS = 180_000;

/** Synthesizes one sentence as a whole. @throws Error with a message fit for the customer, or the signal's reason. */
export async function speakSentence(
  synthesizer: SpeechSynthesizer,
  request: SynthesisRequest,
  timers: Timers,
  signal: AbortSignal,
): Promise<SpokenChunk[]> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await collectSpeech(synthesizer, request, MAX_SENTENCE_MS, timers, signal);
    } catch (error) {
      const pause = RETRY_AFTER_MS[attempt];
      if (signal.aborted || pause === undefined) throw error;
      await wait(pause, timers, signal);
    }
  }
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

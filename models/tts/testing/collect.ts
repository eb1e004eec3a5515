import type { SpeechSynthesizer, SynthesisRequest, TimedUnit } from '../../ports.ts';

export interface Spoken {
  readonly pcm: Int16Array;
  readonly sampleRate: number;
  readonly durationMs: number;
  readonly words: TimedUnit[];
  readonly phonemes: TimedUnit[];
  readonly chunks: number;
}

/** Speaks one sentence to its end. */
export async function speak(
  synthesizer: SpeechSynthesizer,
  request: Partial<SynthesisRequest> & { text: string },
  signal = new AbortController().signal,
): Promise<Spoken> {
  const samples: Int16Array[] = [];
  const words: TimedUnit[] = [];
  const phonemes: TimedUnit[] = [];
  let sampleRate = 0;
  for await (const chunk of synthesizer.synthesize({ voice: 'slt', language: 'en', tuning: {}, ...request }, signal)) {
    samples.push(chunk.pcm);
    sampleRate = chunk.sampleRate;
    words.push(...(chunk.words ?? []));
    phonemes.push(...(chunk.phonemes ?? []));
  }
  const pcm = Int16Array.from(samples.flatMap((part) => [...part]));
  return { pcm, sampleRate, durationMs: (pcm.length * 1000) / sampleRate, words, phonemes, chunks: samples.length };
}

/** Root mean square of a part of the sound. */
export function level({ pcm, sampleRate }: Spoken, fromMs: number, toMs: number): number {
  const part = pcm.subarray((fromMs * sampleRate) / 1000, (toMs * sampleRate) / 1000);
  return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, part.length));
}

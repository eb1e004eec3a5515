import { SAMPLES_PER_MS } from '../media/audio-format.ts';
import { Coarticulation, type MouthShape } from '../audio-out/mouth/coarticulation.ts';
import { MouthFromAudio } from '../audio-out/mouth/mouth-from-audio.ts';
import { Resampler } from '../audio-out/tts/resampler.ts';
import type { SpokenChunk } from '../audio-out/tts/collect-speech.ts';

/** One sentence, ready for the video: 48 kHz, and the mouth that goes with it, ms from its first sample. */
export interface SentenceAudio {
  readonly pcm: readonly Int16Array[];
  readonly durationMs: number;
  readonly shapes: readonly MouthShape[];
}

/** @throws RangeError when the sound's rate cannot be used. */
export function sentenceAudio(chunks: readonly SpokenChunk[]): SentenceAudio {
  const pcm = resampled(chunks);
  const samples = pcm.reduce((sum, part) => sum + part.length, 0);
  return { pcm, durationMs: samples / SAMPLES_PER_MS, shapes: mouthOf(chunks, pcm) };
}

function resampled(chunks: readonly SpokenChunk[]): Int16Array[] {
  const pcm: Int16Array[] = [];
  let resampler: Resampler | null = null;
  try {
    for (const chunk of chunks) {
      if (chunk.pcm.length === 0) continue;
      if (resampler?.inputRate !== chunk.sampleRate) {
        if (resampler !== null) pcm.push(resampler.finish());
        resampler = new Resampler(chunk.sampleRate);
      }
      pcm.push(resampler.convert(chunk.pcm));
    }
    if (resampler !== null) pcm.push(resampler.finish());
  } finally {
    resampler?.close();
  }
  return pcm;
}

/** The same mouth as live: from the voice's own phonemes, else from its sound. */
function mouthOf(chunks: readonly SpokenChunk[], pcm: readonly Int16Array[]): MouthShape[] {
  if (chunks.some(({ phonemes }) => phonemes.length > 0)) {
    const mouth = new Coarticulation();
    return [...chunks.flatMap(({ phonemes }) => mouth.add(phonemes)), ...mouth.finish()];
  }
  const mouth = new MouthFromAudio();
  return [...pcm.flatMap((part) => mouth.add(part)), ...mouth.finish()];
}

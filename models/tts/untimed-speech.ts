import type { SynthesisChunk } from '../ports.ts';
import { estimateWords } from './estimated-words.ts';
import { scaleLoudness } from './loudness.ts';
import { PcmBytes } from './pcm-bytes.ts';

/**
 * Speech of a service that sends samples and no times: word times are estimated once the length is known.
 * @param bytes little-endian samples of 16 bits. @param speech.volume factor: 1 leaves the loudness as it is.
 */
export async function* untimedSpeech(
  bytes: AsyncIterable<Uint8Array>,
  speech: {
    readonly text: string;
    readonly language: string;
    readonly sampleRate: number;
    readonly volume: number;
  },
): AsyncGenerator<SynthesisChunk> {
  const { text, language, sampleRate, volume } = speech;
  const samples = new PcmBytes();
  let count = 0;
  const next = (pcm: Int16Array): Int16Array => {
    scaleLoudness(pcm, volume);
    count += pcm.length;
    return pcm;
  };
  for await (const part of bytes) {
    const pcm = next(samples.push(part));
    if (pcm.length > 0) yield { pcm, sampleRate };
  }
  const pcm = next(samples.rest());
  yield { pcm, sampleRate, words: estimateWords(text, language, (count * 1000) / sampleRate) };
}

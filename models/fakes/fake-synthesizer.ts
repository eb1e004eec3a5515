import { ProviderError, type SpeechSynthesizer, type SynthesisChunk, type TimedUnit } from '../ports.ts';
import { textWords } from '../tts/word-timeline.ts';
import { wait } from './wait.ts';

export interface FakeSynthesizerOptions {
  /** From the request to the first audio. @defaultValue 0 */
  readonly firstAudioMs?: number;
  /** Synthesis time for each time of audio. 0 gives all at once, 1 is as slow as speech. @defaultValue 0 */
  readonly realTimeFactor?: number;
  /** @defaultValue 24000 */
  readonly sampleRate?: number;
  /** Audio in a chunk, ms. @defaultValue 100 */
  readonly chunkMs?: number;
  /** Length of a word, and of the gap after it, ms. @defaultValue 200 and 50 */
  readonly wordMs?: number;
  readonly gapMs?: number;
  /** Reports the words as phonemes, too ('aa', then 'pau'). @defaultValue false */
  readonly phonemes?: boolean;
  /** A sentence with this text fails after so much audio. */
  readonly failOn?: { readonly text: string; readonly afterMs: number };
}

const AMPLITUDE = 12_000;

/**
 * A voice that says every word as a tone, always with the same pitch and length. Word times are exact to the sample.
 * Its delays are declared, so that a bench can subtract them.
 */
export function createFakeSynthesizer(options: FakeSynthesizerOptions = {}): SpeechSynthesizer {
  const {
    firstAudioMs = 0,
    realTimeFactor = 0,
    sampleRate = 24_000,
    chunkMs = 100,
    wordMs = 200,
    gapMs = 50,
    failOn,
  } = options;
  return {
    name: 'fake',
    family: 'local',
    async *synthesize({ text, language }, signal): AsyncGenerator<SynthesisChunk> {
      await wait(firstAudioMs, signal);
      const words: TimedUnit[] = textWords(text, language).map((word, index) => {
        const startMs = index * (wordMs + gapMs);
        return { text: word.text, startMs, endMs: startMs + wordMs };
      });
      const totalMs = words.length * (wordMs + gapMs);
      for (let fromMs = 0; fromMs < totalMs; fromMs += chunkMs) {
        if (failOn && text.includes(failOn.text) && fromMs >= failOn.afterMs)
          throw new ProviderError('fake', 'server', 'The fake voice was told to fail.');
        if (fromMs > 0) await wait(chunkMs * realTimeFactor, signal);
        const toMs = Math.min(fromMs + chunkMs, totalMs);
        const begun = words.filter(({ startMs }) => startMs >= fromMs && startMs < toMs);
        yield {
          pcm: tones(words, fromMs, toMs, sampleRate),
          sampleRate,
          words: begun,
          ...(options.phonemes && {
            phonemes: begun.flatMap(({ startMs, endMs }) => [
              { text: 'aa', startMs, endMs },
              { text: 'pau', startMs: endMs, endMs: endMs + gapMs },
            ]),
          }),
        };
      }
    },
    close: async () => {},
  };
}

/** The samples between two times. Each word has its own pitch, and gaps are silent. */
function tones(words: readonly TimedUnit[], fromMs: number, toMs: number, sampleRate: number): Int16Array {
  const from = Math.round((fromMs * sampleRate) / 1000);
  const pcm = new Int16Array(Math.round((toMs * sampleRate) / 1000) - from);
  words.forEach(({ startMs, endMs }, index) => {
    const start = Math.max(0, Math.round((startMs * sampleRate) / 1000) - from);
    const end = Math.min(pcm.length, Math.round((endMs * sampleRate) / 1000) - from);
    const turn = (2 * Math.PI * (200 + (index % 8) * 25)) / sampleRate;
    for (let k = start; k < end; k += 1) pcm[k] = Math.round(AMPLITUDE * Math.sin(turn * (from + k)));
  });
  return pcm;
}

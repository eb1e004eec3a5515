import { fromG711, toUlaw, ULAW } from '../../g711.ts';
import { RateConverter } from '../../rate-converter.ts';
import { SPEECH_RATE } from '../response-speech.ts';

/** Of the user's sound here, Hz. */
const HEARD_RATE = 16_000;
/** Sound that comes at once, s: more than any sentence. Bringing it to another rate takes the thread of the media. */
const MAX_PIECE = 20;
const FORMAT = /^(pcm|ulaw)_(8000|16000|22050|24000|44100|48000)$/;

/** Sound as the agent takes and gives it: 16 bits or µ-law, at one of several rates. */
export class AgentAudio {
  readonly #toAgent: RateConverter;
  readonly #fromAgent: RateConverter;
  readonly #takes: 'pcm' | 'ulaw';
  readonly #gives: 'pcm' | 'ulaw';
  readonly #mostSamples: number;

  /** @throws TypeError for a format that is not known. */
  constructor(takes: string, gives: string) {
    const [input, output] = [formatOf(takes), formatOf(gives)];
    this.#takes = input.coding;
    this.#gives = output.coding;
    this.#mostSamples = MAX_PIECE * output.rate;
    this.#toAgent = new RateConverter(HEARD_RATE, input.rate);
    this.#fromAgent = new RateConverter(output.rate, SPEECH_RATE);
  }

  /** @param pcm 16 kHz. @returns base64. */
  encode(pcm: Int16Array): string {
    const sound = this.#toAgent.convert(pcm);
    if (this.#takes === 'ulaw') return Buffer.from(sound.map(toUlaw)).toString('base64');
    return Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength).toString('base64');
  }

  /** @returns 24 kHz. @throws RangeError when it is longer than anybody speaks at once. */
  decode(base64: string): Int16Array {
    const bytes = Buffer.from(base64, 'base64');
    const count = bytes.length / (this.#gives === 'ulaw' ? 1 : 2);
    if (count > this.#mostSamples) throw new RangeError(`The agent sent more than ${MAX_PIECE} s at once.`);
    if (this.#gives === 'ulaw') return this.#fromAgent.convert(fromG711(ULAW, bytes));
    const samples = new Int16Array(bytes.length >> 1);
    new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.byteLength));
    return this.#fromAgent.convert(samples);
  }
}

function formatOf(name: string): { readonly coding: 'pcm' | 'ulaw'; readonly rate: number } {
  const [, coding, rate] = FORMAT.exec(name) ?? [];
  if (coding === undefined) throw new TypeError('The agent uses a format of sound that is not known.');
  return { coding: coding as 'pcm' | 'ulaw', rate: Number(rate) };
}

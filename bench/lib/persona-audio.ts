import { OpusDecoder } from '../../engine/audio-in/decode/opus-decoder.ts';
import { audioLevelDb, toFloat } from '../../engine/audio-in/vad/audio-level.ts';

/** The level of received audio at one time. */
export interface HeardLevel {
  /** Engine time of this piece: the arrival of its packet, and its place in the packet. */
  readonly at: number;
  readonly levelDb: number;
}

/** Only the fading of the decoder, and comfort noise, are quieter. */
export const AUDIBLE_DB = -45;
/** Length of a piece: shorter than any fade to be measured, and longer than a period of a voice. */
const PIECE_MS = 5;
const PIECE_SAMPLES = PIECE_MS * 48;

/** Decodes a client's audio and keeps the levels of the last seconds. */
export class PersonaAudio {
  readonly #decoder = new OpusDecoder();
  readonly #levels: HeardLevel[] = [];

  packet(payload: Uint8Array, arrivedAt: number): void {
    const pcm = this.#decoder.decode(payload);
    if (pcm === null) return;
    for (let start = 0; start + PIECE_SAMPLES <= pcm.length; start += PIECE_SAMPLES) {
      this.#levels.push({
        at: arrivedAt + start / 48,
        levelDb: audioLevelDb(toFloat(pcm.subarray(start, start + PIECE_SAMPLES))),
      });
    }
  }

  /** @returns the levels from a time on, in order. */
  since(from: number): readonly HeardLevel[] {
    return this.#levels.filter(({ at }) => at >= from);
  }

  /** Drops all levels. */
  clear(): void {
    this.#levels.length = 0;
  }

  close(): void {
    this.#decoder.close();
  }
}

import { OpusDecoder } from '../../engine/audio-in/decode/opus-decoder.ts';
import { audioLevelDb, toFloat } from '../../engine/audio-in/vad/audio-level.ts';

/** The level of a received voice at one moment. */
export interface HeardLevel {
  /** Engine time at which this piece of sound is heard: its packet's arrival and its place in it. */
  readonly at: number;
  readonly levelDb: number;
}

/**
 * Levels are taken of pieces of this length: shorter than any fade that is looked for, longer than a period of a voice.
 */
const PIECE_MS = 5;
const PIECE_SAMPLES = PIECE_MS * 48;

/** Decodes what a client receives and keeps the level of the last seconds. */
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

  /** @returns what was heard from a time on, in order. */
  since(from: number): readonly HeardLevel[] {
    return this.#levels.filter(({ at }) => at >= from);
  }

  /** Forgets what was heard. */
  clear(): void {
    this.#levels.length = 0;
  }

  close(): void {
    this.#decoder.close();
  }
}

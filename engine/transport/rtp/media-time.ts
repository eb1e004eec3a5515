import { randomInt } from 'node:crypto';

/** From the NTP era (1900) to the Unix epoch, seconds. */
const NTP_EPOCH_OFFSET = 2_208_988_800;
const TWO_32 = 2 ** 32;

/** Turns engine time (ms since the epoch) into RTP timestamps of one stream. Both streams use the same engine time, so receivers can line them up. */
export interface MediaTime {
  /** The timestamp of something that is to be seen or heard at `at`. Called in the order of sending. */
  next(at: number): number;
  /** The timestamp that belongs to `at`, for a sender report. */
  at(at: number): number;
}

/** Pictures: each timestamp comes straight from its time. 90 kHz. */
export class VideoTime implements MediaTime {
  readonly #offset = randomInt(2 ** 31);

  next(at: number): number {
    return this.at(at);
  }

  at(at: number): number {
    return modulo32(this.#offset + at * 90);
  }
}

/** Samples per 20 ms packet at 48 kHz. */
const PACKET_SAMPLES = 960;
/** The pacer may restart its clock for the first sound of a reply; a shift of up to this much is no gap in the sound. */
const MAX_SHIFT_MS = 60;

/**
 * Sound: packets follow each other without gap or overlap, as the jitter buffer of the receiver expects, even where the
 * pacer shifted by some ms. Sender reports tell the receiver the shift. Only a real gap moves the timestamps on.
 */
export class AudioTime implements MediaTime {
  #timestamp = randomInt(2 ** 31);
  /** The time that belongs to `#timestamp`. */
  #time: number | null = null;

  next(at: number): number {
    if (this.#time !== null) {
      const shift = at - (this.#time + 20);
      const gapPackets = Math.abs(shift) <= MAX_SHIFT_MS ? 0 : Math.max(0, Math.round(shift / 20));
      this.#timestamp = modulo32(this.#timestamp + PACKET_SAMPLES * (1 + gapPackets));
    }
    this.#time = at;
    return this.#timestamp;
  }

  at(at: number): number {
    return modulo32(this.#timestamp + (at - (this.#time ?? at)) * 48);
  }
}

function modulo32(value: number): number {
  const rounded = Math.round(value) % TWO_32;
  return rounded < 0 ? rounded + TWO_32 : rounded;
}

/** @returns the 64-bit NTP time of an engine time, as two 32-bit words. */
export function ntpTime(at: number): { readonly seconds: number; readonly fraction: number } {
  const seconds = Math.floor(at / 1_000);
  return { seconds: (seconds + NTP_EPOCH_OFFSET) % TWO_32, fraction: Math.floor(((at - seconds * 1_000) / 1_000) * TWO_32) };
}

import { randomInt } from 'node:crypto';
import { FRAME_MS, FRAME_SAMPLES } from '../../media/audio-format.ts';

/** From the NTP era (1900) to the Unix epoch, seconds. */
const NTP_EPOCH_OFFSET = 2_208_988_800;
const TWO_32 = 2 ** 32;

/**
 * Turns engine time (ms since the epoch) into RTP timestamps of one stream. Both streams use the same engine time, so
 * receivers can synchronize them.
 */
export interface MediaTime {
  /** The timestamp of something that is to be seen or heard at `at`. Called in the order of sending. */
  next(at: number): number;
  /** The timestamp that belongs to `at`, for a sender report. */
  at(at: number): number;
}

export interface StartTime {
  readonly timestamp: number;
  readonly at: number;
}

/** Frames: each timestamp comes straight from its time. 90 kHz. */
export class VideoTime implements MediaTime {
  readonly #offset: number;

  /** @param start a timestamp and its time, of a stream that goes on. @defaultValue random */
  constructor(start?: StartTime) {
    this.#offset = start === undefined ? randomInt(2 ** 31) : modulo32(start.timestamp - start.at * 90);
  }

  next(at: number): number {
    return this.at(at);
  }

  at(at: number): number {
    return modulo32(this.#offset + at * 90);
  }
}

/**
 * Sound: timestamps advance by whole packets, as the receiver's jitter buffer expects. If the pacer left out packets
 * after a stall, the timestamps have a gap too, however short. When a gap of 60 ms was treated as a shift, the video
 * was ahead of the sound until the next sender report (bench/av-skew). The next report corrects differences of less
 * than half a packet.
 */
export class AudioTime implements MediaTime {
  #timestamp: number;
  /** The time that belongs to `#timestamp`. */
  #time: number | null;

  /** @param start as of `VideoTime`. */
  constructor(start?: StartTime) {
    this.#timestamp = start?.timestamp ?? randomInt(2 ** 31);
    this.#time = start?.at ?? null;
  }

  next(at: number): number {
    if (this.#time !== null) {
      const gapPackets = Math.max(0, Math.round((at - this.#time) / FRAME_MS) - 1);
      this.#timestamp = modulo32(this.#timestamp + FRAME_SAMPLES * (1 + gapPackets));
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

/** @returns the middle 32 bits of the NTP time of an engine time, as report blocks carry it. */
export function ntpMiddle(at: number): number {
  const { seconds, fraction } = ntpTime(at);
  return (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0;
}

/** @returns the 64-bit NTP time of an engine time, as two 32-bit words. */
export function ntpTime(at: number): { readonly seconds: number; readonly fraction: number } {
  const seconds = Math.floor(at / 1_000);
  return {
    seconds: (seconds + NTP_EPOCH_OFFSET) % TWO_32,
    fraction: Math.floor(((at - seconds * 1_000) / 1_000) * TWO_32),
  };
}

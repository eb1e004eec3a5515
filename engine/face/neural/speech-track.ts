import type { SpeechAudio } from '../../ports.ts';

/** What the models take. */
export const SPEECH_RATE = 16_000;
const STEP = 3;
const SAMPLES_PER_MS = SPEECH_RATE / 1000;
/** Sound is kept for this long after it was heard: windows reach a little into the past. */
const KEEP_MS = 500;
/** A caller that announces more than ten minutes ahead makes a mistake. */
const MAX_SAMPLES = SPEECH_RATE * 600;

interface Piece {
  readonly at: number;
  readonly pcm: Int16Array;
}

function endOf({ at, pcm }: Piece): number {
  return at + pcm.length / SAMPLES_PER_MS;
}

/** What one face says and will say soon, by engine time, at 16 kHz. */
export class SpeechTrack {
  #pieces: Piece[] = [];

  /** Adds sound. It replaces the sound that was there from its first sample on. */
  add({ at, pcm }: SpeechAudio): void {
    if (pcm.length === 0 || !Number.isFinite(at)) return;
    const held = this.#pieces.reduce((sum, piece) => sum + piece.pcm.length, 0);
    if (held + pcm.length / STEP > MAX_SAMPLES) return;
    this.stop(at);
    this.#pieces.push({ at, pcm: thirdOf(pcm) });
  }

  /** Nothing is said from `at` on. */
  stop(at: number): void {
    this.#pieces = this.#pieces
      .filter((piece) => piece.at < at - 0.5)
      .map((piece) => {
        const kept = Math.round((at - piece.at) * SAMPLES_PER_MS);
        return kept >= piece.pcm.length ? piece : { at: piece.at, pcm: piece.pcm.subarray(0, kept) };
      });
  }

  /** Forgets what is long over. */
  forget(now: number): void {
    if (this.#pieces.some((piece) => endOf(piece) < now - KEEP_MS))
      this.#pieces = this.#pieces.filter((piece) => endOf(piece) >= now - KEEP_MS);
  }

  /** True when something is said at that time. */
  speaks(at: number): boolean {
    return this.#pieces.some((piece) => piece.at <= at && endOf(piece) > at);
  }

  /** @returns `samples` from a time on, −1…1; silence where nothing is known. */
  read(from: number, samples: number): Float32Array {
    const out = new Float32Array(samples);
    for (const { at, pcm } of this.#pieces) {
      const offset = Math.round((at - from) * SAMPLES_PER_MS);
      for (let i = Math.max(0, -offset); i < pcm.length && offset + i < samples; i++)
        out[offset + i] = pcm[i]! / 32_768;
    }
    return out;
  }
}

/** A low-pass at about 7 kHz against aliasing: Hann-windowed sinc, 15 taps. */
const TAPS = Float64Array.from({ length: 15 }, (_, i) => {
  const t = (i - 7) / STEP;
  const sinc = t === 0 ? 1 : Math.sin(Math.PI * t) / (Math.PI * t);
  return sinc * (0.5 + 0.5 * Math.cos((Math.PI * (i - 7)) / 8));
});
const GAIN = TAPS.reduce((sum, tap) => sum + tap, 0);

/** 48 kHz → 16 kHz. */
function thirdOf(pcm: Int16Array): Int16Array {
  return Int16Array.from({ length: Math.ceil(pcm.length / STEP) }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < TAPS.length; k++)
      sum += TAPS[k]! * (pcm[Math.max(0, Math.min(pcm.length - 1, i * STEP + k - 7))] ?? 0);
    return Math.max(-32_768, Math.min(32_767, Math.round(sum / GAIN)));
  });
}

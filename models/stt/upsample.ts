/** Taps of the low-pass filter for each of the three phases. */
const TAPS = 16;
/** Cutoff a little below half of the lower rate, as a share of the rate three times as high. */
const CUTOFF = 0.46 / 3;

/** Low-pass filter at three times the lower rate: a sinc in a Blackman window, with a gain of 3 for the added zeros. */
const FILTER = Array.from({ length: TAPS * 3 }, (_, index) => {
  const x = index - (TAPS * 3 - 1) / 2;
  const at = (2 * Math.PI * (index + 0.5)) / (TAPS * 3);
  const window = 0.42 - 0.5 * Math.cos(at) + 0.08 * Math.cos(2 * at);
  return 3 * (Math.sin(2 * Math.PI * CUTOFF * x) / (Math.PI * x)) * window;
});

/** Resamples 16 kHz to 24 kHz, piece by piece: three samples for each two. */
export class Upsampler {
  /** The last samples of the previous piece. */
  #before = new Int16Array(TAPS);
  /** Which of the three positions between two samples is next. */
  #phase = 0;

  /** @param pcm 16 kHz. @returns 24 kHz. */
  push(pcm: Int16Array): Int16Array {
    const samples = new Int16Array(TAPS + pcm.length);
    samples.set(this.#before);
    samples.set(pcm, TAPS);
    const raised: number[] = [];
    let position = this.#phase;
    for (; position < pcm.length * 3; position += 2) {
      const newest = TAPS + Math.floor(position / 3);
      let sum = 0;
      for (let tap = 0; tap < TAPS; tap += 1) sum += samples[newest - tap]! * FILTER[tap * 3 + (position % 3)]!;
      raised.push(Math.max(-32_768, Math.min(32_767, Math.round(sum))));
    }
    this.#phase = position - pcm.length * 3;
    this.#before = samples.slice(-TAPS);
    return Int16Array.from(raised);
  }
}

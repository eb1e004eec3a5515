import { SAMPLES_PER_MS } from '../../audio-format.ts';

/** Cut speech fades within this time: short enough to be a stop, long enough not to click. */
export const CUT_FADE_SAMPLES = 5 * SAMPLES_PER_MS;

/** Fades samples to silence in place, linearly. */
export function fadeOut(pcm: Int16Array): void {
  for (let k = 0; k < pcm.length; k += 1) pcm[k] = Math.round((pcm[k]! * (pcm.length - k)) / pcm.length);
}

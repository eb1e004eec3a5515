/** The level of silence: below the quietest step of 16-bit sound. */
const SILENCE_DB = -100;

/** @param samples in -1…1. @returns their mean power in dB below full scale, at least −100. */
export function audioLevelDb(samples: Float32Array): number {
  let power = 0;
  for (const sample of samples) power += sample * sample;
  if (power === 0) return SILENCE_DB;
  return Math.max(SILENCE_DB, 10 * Math.log10(power / samples.length));
}

/** @param pcm 16-bit samples. @param samples as many. @returns these: the same in -1…1. */
export function toFloat(pcm: Int16Array, samples = new Float32Array(pcm.length)): Float32Array {
  for (let i = 0; i < pcm.length; i++) samples[i] = (pcm[i] as number) / 32_768;
  return samples;
}

/** @param samples in -1…1; values beyond are clipped. */
export function toPcm16(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(samples.length);
  for (let i = 0; i < pcm.length; i++)
    pcm[i] = Math.max(-32_768, Math.min(32_767, Math.round((samples[i] as number) * 32_768)));
  return pcm;
}

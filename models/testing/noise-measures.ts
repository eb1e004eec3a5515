import type { NoiseFilter } from '../ports.ts';

/** @returns what the filter makes of whole frames of `samples`. */
export function filterAll(filter: NoiseFilter, samples: Float32Array, strength: number): Float32Array {
  const { frameSamples } = filter;
  const output = new Float32Array(samples.length - (samples.length % frameSamples));
  for (let at = 0; at < output.length; at += frameSamples) {
    const frame = samples.slice(at, at + frameSamples);
    filter.process(frame, strength);
    output.set(frame, at);
  }
  return output;
}

export function powerDb(samples: Float32Array): number {
  return 10 * Math.log10(samples.reduce((sum, x) => sum + x * x, 0) / samples.length + 1e-12);
}

export function toSamples(pcm: Int16Array): Float32Array {
  return Float32Array.from(pcm, (x) => x / 32_768);
}

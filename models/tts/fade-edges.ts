/** As short as the fade of a cut. It is within the silence that is kept around a voice. */
const EDGE_S = 0.005;

/**
 * Fades a piece of speech in and out, linearly within 5 ms. The trimmed edges are quiet but not silent, and a step
 * between two pieces would be heard as a click.
 */
export function fadeEdges(samples: Float32Array, sampleRate: number): Float32Array {
  const edge = Math.min(Math.round(EDGE_S * sampleRate), samples.length / 2);
  const last = samples.length - 1;
  return samples.map((sample, at) => sample * Math.min(1, at / edge, (last - at) / edge));
}

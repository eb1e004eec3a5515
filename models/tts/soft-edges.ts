/** As short as the fade of a cut. It lies in the silence that is kept around a voice. */
const EDGE_S = 0.005;

/**
 * @param samples a piece of speech. @returns it with a linear rise and fall of 5 ms: what is quiet enough to be cut is
 * not silent, and a step between two pieces is heard as a click.
 */
export function softEdges(samples: Float32Array, sampleRate: number): Float32Array {
  const edge = Math.min(Math.round(EDGE_S * sampleRate), samples.length / 2);
  const last = samples.length - 1;
  return samples.map((sample, at) => sample * Math.min(1, at / edge, (last - at) / edge));
}

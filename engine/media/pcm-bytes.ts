/**
 * 16-bit little-endian PCM as samples, two channels mixed down to one. What is no whole sample of all channels is left out.
 * @returns a view of the bytes where that is possible: good as long as they are.
 */
export function monoSamples(bytes: Uint8Array, channels: 1 | 2): Int16Array {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % (2 * channels)));
  // A view needs an even address, which a copy has. All platforms of Node are little-endian.
  const { buffer, byteOffset, byteLength } = whole.byteOffset % 2 === 0 ? whole : new Uint8Array(whole);
  const samples = new Int16Array(buffer, byteOffset, byteLength / 2);
  if (channels === 1) return samples;
  const mono = new Int16Array(samples.length / 2);
  for (let at = 0; at < mono.length; at += 1) mono[at] = (samples[at * 2]! + samples[at * 2 + 1]!) >> 1;
  return mono;
}

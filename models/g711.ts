/** ITU-T G.711: the sample of each byte. */
export const ULAW = Int16Array.from({ length: 256 }, (_, byte) => {
  const code = ~byte & 0xff;
  const magnitude = (((code & 0x0f) << 3) + 0x84) << ((code & 0x70) >> 4);
  return code & 0x80 ? 0x84 - magnitude : magnitude - 0x84;
});

export const ALAW = Int16Array.from({ length: 256 }, (_, byte) => {
  const code = byte ^ 0x55;
  const segment = (code & 0x70) >> 4;
  const low = (code & 0x0f) << 4;
  const magnitude = segment === 0 ? low + 8 : (low + 0x108) << (segment - 1);
  return code & 0x80 ? magnitude : -magnitude;
});

/** @returns the sample of each byte. @param table `ULAW` or `ALAW`. */
export function fromG711(table: Int16Array, bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  // `Int16Array.from` with a function takes twenty times as long.
  for (let at = 0; at < bytes.length; at += 1) samples[at] = table[bytes[at]!]!;
  return samples;
}

export function toUlaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), 32_635) + 0x84;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

export function toAlaw(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  const magnitude = Math.min(sample < 0 ? -sample - 1 : sample, 32_767);
  const exponent = Math.max(0, 31 - Math.clz32(magnitude | 1) - 7);
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}

/** Sound as Realtime clients send and take it: little-endian samples of 16 bits at 24 kHz, or G.711 at 8 kHz. */
export const AUDIO_FORMATS = ['pcm16', 'g711_ulaw', 'g711_alaw'] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];

/** Names of the released interface. */
const RELEASED: Readonly<Record<AudioFormat, string>> = {
  pcm16: 'audio/pcm',
  g711_ulaw: 'audio/pcmu',
  g711_alaw: 'audio/pcma',
};

/** Hz. */
export function rateOf(format: AudioFormat): 24_000 | 8_000 {
  return format === 'pcm16' ? 24_000 : 8_000;
}

/** As the released interface writes it. */
export function releasedFormat(format: AudioFormat): { readonly type: string; readonly rate?: number } {
  return format === 'pcm16' ? { type: RELEASED.pcm16, rate: 24_000 } : { type: RELEASED[format] };
}

/** @param type of either interface. @returns null for one that is not taken. */
export function formatOf(type: string): AudioFormat | null {
  return AUDIO_FORMATS.find((format) => format === type || RELEASED[format] === type) ?? null;
}

/** @returns the samples, at the rate of the format. Half a sample at the end is left out. */
export function decodeAudio(format: AudioFormat, bytes: Buffer): Int16Array {
  if (format === 'pcm16') {
    const samples = new Int16Array(bytes.length >> 1);
    new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.byteLength));
    return samples;
  }
  const table = format === 'g711_ulaw' ? ULAW : ALAW;
  return Int16Array.from(bytes, (byte) => table[byte]!);
}

/** @param pcm at the rate of the format. */
export function encodeAudio(format: AudioFormat, pcm: Int16Array): Buffer {
  if (format === 'pcm16') return Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Buffer.from(format === 'g711_ulaw' ? pcm.map(toUlaw) : pcm.map(toAlaw));
}

/** ITU-T G.711. */
const ULAW = Int16Array.from({ length: 256 }, (_, byte) => {
  const code = ~byte & 0xff;
  const magnitude = (((code & 0x0f) << 3) + 0x84) << ((code & 0x70) >> 4);
  return code & 0x80 ? 0x84 - magnitude : magnitude - 0x84;
});

const ALAW = Int16Array.from({ length: 256 }, (_, byte) => {
  const code = byte ^ 0x55;
  const segment = (code & 0x70) >> 4;
  const low = (code & 0x0f) << 4;
  const magnitude = segment === 0 ? low + 8 : (low + 0x108) << (segment - 1);
  return code & 0x80 ? magnitude : -magnitude;
});

function toUlaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), 32_635) + 0x84;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function toAlaw(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  const magnitude = Math.min(sample < 0 ? -sample - 1 : sample, 32_767);
  const exponent = Math.max(0, 31 - Math.clz32(magnitude | 1) - 7);
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}

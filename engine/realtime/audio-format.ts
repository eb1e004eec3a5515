import { ALAW, fromG711, toAlaw, toUlaw, ULAW } from '../../models/g711.ts';

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

/** Bytes of sound that last so long, ms: whole samples. */
export function bytesOf(format: AudioFormat, ms: number): number {
  return Math.floor((ms * rateOf(format)) / 1_000) * (format === 'pcm16' ? 2 : 1);
}

/** @returns how long the sound is, ms. Half a sample at the end does not count. */
export function durationOf(format: AudioFormat, bytes: number): number {
  return (Math.floor(bytes / (format === 'pcm16' ? 2 : 1)) * 1_000) / rateOf(format);
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
  return fromG711(format === 'g711_ulaw' ? ULAW : ALAW, bytes);
}

/** @param pcm at the rate of the format. */
export function encodeAudio(format: AudioFormat, pcm: Int16Array): Buffer {
  if (format === 'pcm16') return Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Buffer.from(format === 'g711_ulaw' ? pcm.map(toUlaw) : pcm.map(toAlaw));
}

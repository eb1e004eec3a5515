import { OpusDecoder } from '../../engine/audio-in/decode/opus-decoder.ts';
import { opusPackets } from '../../engine/audio-in/testing/opus-packets.ts';
import { Resampler } from '../../engine/audio-out/tts/resampler.ts';
import { spokenPcm } from './spoken-pcm.ts';

export interface SpokenSentence {
  /** 20 ms Opus packets. */
  readonly packets: readonly Uint8Array[];
  /** Time of the last voiced sample, ms from the start. */
  readonly voicedUntilMs: number;
  /** Index of the packet that contains the first voiced sample, after decoding. */
  readonly firstVoicedPacket: number;
}

/** Samples below this, of a full scale of 32768, are the fading of the last sound. */
const VOICED_LEVEL = 500;

/** A sentence spoken by flite, as packets of a microphone. */
export function speakSentence(text: string, voice = 'awb'): SpokenSentence {
  const { samples, rate } = spokenPcm(text, voice);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > VOICED_LEVEL);
  const packets = opusPackets(new Resampler(rate).convert(samples));
  return { packets, voicedUntilMs: ((last + 1) / rate) * 1000, firstVoicedPacket: firstVoiced(packets) };
}

/** An encoder delays audio a little. So only decoding shows which packet contains the sample. */
function firstVoiced(packets: readonly Uint8Array[]): number {
  const decoder = new OpusDecoder();
  try {
    return packets.findIndex((packet) => decoder.decode(packet)?.some((sample) => Math.abs(sample) > VOICED_LEVEL));
  } finally {
    decoder.close();
  }
}

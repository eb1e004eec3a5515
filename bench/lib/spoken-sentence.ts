import { OpusDecoder } from '../../engine/audio-in/decode/opus-decoder.ts';
import { opusPackets } from '../../engine/audio-in/testing/opus-packets.ts';
import { Resampler } from '../../engine/audio-out/tts/resampler.ts';
import { spokenPcm } from './spoken-pcm.ts';

export interface SpokenSentence {
  /** 20 ms Opus packets. */
  readonly packets: readonly Uint8Array[];
  /** Where the last voiced sample lies, ms from the start. */
  readonly voicedUntilMs: number;
  /** Index of the packet that carries the first voiced sample, as a decoder finds it. */
  readonly firstVoicedPacket: number;
}

/** Quieter than this, of a full scale of 32768, is the fading of the last sound and not a voice. */
const VOICED_LEVEL = 500;

/** A sentence as flite says it, ready to be sent as a microphone's packets. */
export function speakSentence(text: string, voice = 'awb'): SpokenSentence {
  const { samples, rate } = spokenPcm(text, voice);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > VOICED_LEVEL);
  const packets = opusPackets(new Resampler(rate).convert(samples));
  return { packets, voicedUntilMs: ((last + 1) / rate) * 1000, firstVoicedPacket: firstVoiced(packets) };
}

/**
 * An encoder looks ahead, so sound comes out of it a little later than it went in: only decoding tells in which packet.
 */
function firstVoiced(packets: readonly Uint8Array[]): number {
  const decoder = new OpusDecoder();
  try {
    return packets.findIndex((packet) => decoder.decode(packet)?.some((sample) => Math.abs(sample) > VOICED_LEVEL));
  } finally {
    decoder.close();
  }
}

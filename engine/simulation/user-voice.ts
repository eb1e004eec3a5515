import type { SpeechSynthesizer } from '../../models/ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import { collectSpeech } from '../audio-out/tts/collect-speech.ts';
import { Resampler } from '../audio-out/tts/resampler.ts';

/** More than anybody says in one sentence. */
const MAX_SENTENCE_MS = 60_000;

/** Who speaks the lines of a simulated user. */
export interface UserVoice {
  readonly synthesizer: SpeechSynthesizer;
  readonly providerVoiceId: string;
  /** ISO 639-1. */
  readonly language: string;
}

/**
 * Speaks a line, sentence by sentence.
 * @returns 48 kHz mono. @throws Error with a message fit for the customer, or the signal's reason.
 */
export async function speakLine(
  { synthesizer, providerVoiceId, language }: UserVoice,
  line: string,
  timers: Timers,
  signal: AbortSignal,
): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  for (const text of line.split(/(?<=[.!?。！？])\s+/u)) {
    const request = { text, voice: providerVoiceId, language, tuning: {} };
    for (const { pcm, sampleRate } of await collectSpeech(synthesizer, request, MAX_SENTENCE_MS, timers, signal)) {
      const resampler = new Resampler(sampleRate);
      pieces.push(resampler.convert(pcm), resampler.finish());
    }
  }
  return joined(pieces);
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
  return all;
}

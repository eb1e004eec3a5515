import { ProviderError, type ProviderUse, type SpeechSynthesizer, type VoiceTuning } from '../../models/ports.ts';
import { wavFile } from '../../models/stt/wav.ts';
import { collectSpeech } from '../audio-out/tts/collect-speech.ts';
import type { Timers } from '../../runtime/clock.ts';

/** More than the longest preview takes at half speed: 300 characters are about 40 s then. */
const MAX_MS = 60_000;

export interface SpokenTextRequest {
  /** Key of the synthesizer in the engine's registry. */
  readonly provider: string;
  readonly providerVoiceId: string;
  /** One or two sentences. */
  readonly text: string;
  /** ISO 639-1. */
  readonly language: string;
  readonly tuning: VoiceTuning;
  readonly signal: AbortSignal;
}

/**
 * Speaks a short text with one voice, outside of a session. No other voice speaks in its place: the listener wants to
 * know this one.
 * @param synthesizers by provider. @returns a WAV file: 16 bit, mono. @throws Error with a message fit for the customer,
 * or the signal's reason.
 */
export async function speakText(
  { provider, providerVoiceId, text, language, tuning, signal }: SpokenTextRequest,
  synthesizers: Readonly<Record<string, SpeechSynthesizer>>,
  timers: Timers,
): Promise<Uint8Array> {
  const synthesizer = Object.hasOwn(synthesizers, provider) ? synthesizers[provider] : undefined;
  if (synthesizer === undefined)
    throw new ProviderError(provider, 'unavailable', 'The TTS provider of this voice is not configured.');
  const other = new AbortController();
  const used = ({ place }: ProviderUse): void => {
    if (place > 0) other.abort(new ProviderError(provider, 'unavailable', 'The TTS provider of this voice failed.'));
  };
  const request = { text, voice: providerVoiceId, language, tuning, used };
  const chunks = await collectSpeech(synthesizer, request, MAX_MS, timers, AbortSignal.any([signal, other.signal]));
  const heard = chunks.filter(({ pcm }) => pcm.length > 0);
  const [first] = heard;
  if (first === undefined) throw new ProviderError(provider, 'bad-response', 'The voice said nothing.');
  return wavFile(
    heard.map(({ pcm }) => pcm),
    first.sampleRate,
  );
}

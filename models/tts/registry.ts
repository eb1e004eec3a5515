import type { SpeechSynthesizer } from '../ports.ts';
import { providerOf, type ProviderChoice } from '../provider.ts';
import { cartesia } from './cartesia.ts';
import { elevenLabs } from './elevenlabs.ts';
import { deepgram } from './deepgram.ts';
import { createVoiceFallback, type VoiceLink } from './fallback.ts';
import { LatencyTable } from '../latency-table.ts';
import { CircuitBreaker } from '../circuit-breaker.ts';
import type { VoiceTraits } from './similar-voice.ts';
import { createOfflineSynthesizer } from './offline.ts';
import { openAiCompatible } from './openai-compatible.ts';
import type { LocalVoice } from '../sherpa/local-model.ts';
import type { TtsProvider } from './tts-provider.ts';
import { withMeter } from './with-meter.ts';
import { withTextNormalization } from './text-normalization/with-text-normalization.ts';
import { LOCAL, LOCAL_VOICES, neuralStockVoices } from './voices.ts';

/**
 * Which TTS is used: every service that an operator can name, the default first. To add one, write its file and its
 * line here. The setting, its documentation, the catalogue of voices and the engine read this list.
 */
export const TTS_PROVIDERS: readonly TtsProvider[] = [openAiCompatible, elevenLabs, cartesia, deepgram];

/** @throws Error when no provider has this id. */
export const ttsProvider = (id: string): TtsProvider => providerOf(TTS_PROVIDERS, id, 'TTS');

/** A TTS service of a deployment. */
export interface VoiceService extends ProviderChoice {
  /** The service has zero data retention. Only such services take over from it. @defaultValue false */
  readonly isZdr?: boolean;
  /** Voices that the operator names, the preferred one first. None: those of the account, or of the provider. */
  readonly voices: readonly string[];
}

export interface SynthesizerOptions {
  /** Voices of installed models. @defaultValue none */
  readonly neural?: readonly LocalVoice[];
  /** Whether the offline voices take over when the services fail. @defaultValue yes */
  readonly offlineFallback?: boolean;
  /** What a service tells of its voices now, by the id of its provider; null: nothing. @defaultValue nothing */
  readonly told?: (provider: string) => readonly VoiceTraits[] | null;
  /** @defaultValue one of its own */
  readonly latencies?: LatencyTable;
}

/** The provider id of the offline voices. */
export const OFFLINE_VOICES = 'offline';

/**
 * @param services the preferred one first; none: only the offline voices.
 * @returns synthesizers by the name that a voice has for its provider. Each has the others behind it: see
 * `createVoiceFallback`. Close all of them.
 */
export function openSynthesizers(
  services: readonly VoiceService[],
  { neural = [], offlineFallback = true, told = () => null, latencies = new LatencyTable() }: SynthesizerOptions = {},
): Record<string, SpeechSynthesizer> {
  const tools = { circuits: new CircuitBreaker(), latencies };
  const offline: VoiceLink = {
    provider: OFFLINE_VOICES,
    synthesizer: withTextNormalization(withMeter(createOfflineSynthesizer(neural, services.length > 0))),
    voices: [...neuralStockVoices(neural), ...LOCAL_VOICES],
  };
  const links = services.map(({ provider: id, options, voices, isZdr = false }) => {
    const provider = ttsProvider(id);
    return { apiName: provider.apiName, isZdr, link: linkOf(provider, provider.open(options), voices, told) };
  });
  const all = [...links.map(({ link }) => link), offline];
  const close = async (): Promise<void> => {
    await Promise.all(all.map(({ synthesizer }) => synthesizer.close()));
  };
  const synthesizers: Record<string, SpeechSynthesizer> = {
    [LOCAL]: { ...createVoiceFallback([offline], tools), close },
  };
  for (const { apiName, link, isZdr } of links) {
    const others = links.filter((other) => other.link !== link && (other.isZdr || !isZdr)).map((other) => other.link);
    const last = offlineFallback ? [offline] : [];
    synthesizers[apiName] ??= createVoiceFallback([link, ...others, ...last], tools);
  }
  return synthesizers;
}

function linkOf(
  provider: TtsProvider,
  synthesizer: SpeechSynthesizer,
  named: readonly string[],
  told: NonNullable<SynthesizerOptions['told']>,
): VoiceLink {
  const known = (): readonly VoiceTraits[] => {
    const now = told(provider.id) ?? [];
    return now.length > 0 ? now : provider.stockVoices;
  };
  const traitsOf = (id: string): VoiceTraits =>
    known().find(({ providerVoiceId }) => providerVoiceId === id) ?? {
      providerVoiceId: id,
      language: null,
      gender: null,
    };
  return {
    provider: provider.id,
    synthesizer: withTextNormalization(withMeter(synthesizer)),
    // An account gets new voices while the service runs.
    get voices() {
      return named.length === 0 ? known() : named.map(traitsOf);
    },
  };
}

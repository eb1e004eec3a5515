import type { SpeechSynthesizer, VoiceFamily } from '../ports.ts';
import type { StockVoice } from './voices.ts';

/** How to reach a TTS service, as the operator's settings say it. */
export interface TtsServiceSettings {
  /** Null: the provider's own address. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** Null: the provider's own choice. */
  readonly model: string | null;
}

/** A TTS service that an operator can name. Its file exports one of these; `registry.ts` lists it. */
export interface TtsProvider {
  /** As `PARLEY_TTS_PROVIDER` names it. */
  readonly id: string;
  /** As the HTTP API spells it: the provider of a voice. */
  readonly apiName: string;
  /** For the documentation of the setting, where the id does not say it all. */
  readonly about?: string;
  /** Of its voices: which options apply. */
  readonly family: VoiceFamily;
  /** Voices that are offered when it is configured and the operator names none. */
  readonly stockVoices: readonly StockVoice[];
  /** Does not connect. */
  open(settings: TtsServiceSettings): SpeechSynthesizer;
}

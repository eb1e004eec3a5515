import { z } from 'zod';
import { httpUrl, nameText, secret } from '../option-values.ts';
import type { SpeechSynthesizer, VoiceFamily, VoiceTuning } from '../ports.ts';
import type { Provider } from '../provider.ts';
import type { VoiceAccount } from './account/voice-account.ts';
import type { StockVoice } from './voices.ts';

const reach = {
  baseUrl: httpUrl()
    .optional()
    .describe('Address of the speech synthesis service. Unset: the address of the provider.'),
  apiKey: secret().optional().describe('Key of the speech synthesis service.'),
};
const isReached = (options: { baseUrl?: string | undefined; apiKey?: string | undefined }): boolean =>
  options.baseUrl !== undefined || options.apiKey !== undefined;
const unreached = { message: 'needs an address or a key' };

/** Options of most services. The provider has a default address and model. */
export const serviceOptions = z
  .object({ ...reach, model: nameText().optional().describe('Model name of the speech synthesis service.') })
  .refine(isReached, unreached);

/** Options of services whose voices are models. */
export const voicesOnlyOptions = z.object(reach).refine(isReached, unreached);

/** A TTS service that an operator can name. Its file exports one of these; `registry.ts` lists it. */
export interface TtsProvider<Options extends z.ZodObject = z.ZodObject> extends Provider<Options> {
  /** The spelling of the HTTP API: `provider` of a voice. */
  readonly apiName: string;
  /** ISO 639-1 codes of the languages of all its voices together. A single voice may have fewer. */
  readonly languages?: readonly string[] | 'any';
  /** The language of a voice, for services whose voices speak one language. Null: unknown. */
  languageOf?(voice: string): string | null;
  /** The family of its voices: which options apply. */
  readonly family: VoiceFamily;
  /** Which of the options of a voice it uses. Parley itself applies pronunciations, so they are not listed. */
  readonly tuning: readonly Exclude<keyof VoiceTuning, 'pronunciations'>[];
  /** Voices that are offered if the operator names none and the account tells none. */
  readonly stockVoices: readonly StockVoice[];
  /** Does not connect. */
  open(options: z.output<Options>): SpeechSynthesizer;
  /** The account of the operator, for services that tell of its voices. Does not connect. */
  account?(options: z.output<Options>): VoiceAccount;
}

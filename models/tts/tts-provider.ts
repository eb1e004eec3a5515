import { z } from 'zod';
import { httpUrl, nameText, secret } from '../option-values.ts';
import type { SpeechSynthesizer, VoiceFamily } from '../ports.ts';
import type { Provider } from '../provider.ts';
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

/** How most services are reached. The provider knows its own address and a model. */
export const serviceOptions = z
  .object({ ...reach, model: nameText().optional().describe('Model name of the speech synthesis service.') })
  .refine(isReached, unreached);

/** How services are reached whose voices are models. */
export const voicesOnlyOptions = z.object(reach).refine(isReached, unreached);

/** A TTS service that an operator can name. Its file exports one of these; `registry.ts` lists it. */
export interface TtsProvider<Options extends z.ZodObject = z.ZodObject> extends Provider<Options> {
  /** As the HTTP API spells it: the provider of a voice. */
  readonly apiName: string;
  /** ISO 639-1 codes that its voices can speak, as far as it says; not every voice speaks each of them. */
  readonly languages?: readonly string[] | 'any';
  /** Where each voice speaks one language: which one it is, by the voice's name. Null: it does not say. */
  languageOf?(voice: string): string | null;
  /** Of its voices: which options apply. */
  readonly family: VoiceFamily;
  /** Voices that are offered when it is configured and the operator names none. */
  readonly stockVoices: readonly StockVoice[];
  /** Does not connect. */
  open(options: z.output<Options>): SpeechSynthesizer;
}

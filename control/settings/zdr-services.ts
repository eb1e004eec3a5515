import type { z } from 'zod';
import { furtherTtsKinds } from './tts-services.ts';
import {
  embeddingsSettings,
  llmFallbackSettings,
  llmSettings,
  sttFallbackSettings,
  sttSettings,
  ttsSettings,
} from './providers.ts';
import { list, oneOf } from './values.ts';

/** What an operator can mark: the services that hear, think, speak or search for conversations. */
export const ZDR_SERVICES: readonly string[] = [
  llmSettings.kind,
  llmFallbackSettings.kind,
  sttSettings.kind,
  sttFallbackSettings.kind,
  ttsSettings.kind,
  ...furtherTtsKinds,
  embeddingsSettings.kind,
].map((kind) => kind.toLowerCase());

export function zdrServices(): z.ZodType<string[], string | undefined> {
  return list(oneOf(ZDR_SERVICES)).describe(
    `Services that keep nothing of what they are sent, as your contracts with them say, separated by commas: ${ZDR_SERVICES.map((name) => `\`${name}\``).join(', ')}. Personas with zero data retention use only these and what runs on this machine.`,
  );
}

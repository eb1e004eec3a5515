import { z } from 'zod';
import type { AgentSettings } from '../speech-to-speech/elevenlabs/agent-settings.ts';
import type { SpeechSettings } from '../speech-to-speech/settings.ts';

/** Options of an LLM, with the ranges that the API accepts. A provider may narrow them (`limits`). */
export const LLM_FIELDS = {
  reasoningEffort: z.enum(['default', 'low', 'medium', 'high']),
  /** `parsed` requests reasoning separate from the answer, if the provider can. */
  reasoningFormat: z.enum(['parsed', 'raw', 'hidden']),
  temperature: z.number().min(0).max(2).nullable(),
  maxTokens: z.number().int().min(1).max(1_000_000).nullable(),
  /** Azure only. */
  deploymentName: z.string().trim().max(255).nullable(),
  /** Azure only. */
  apiVersion: z.string().trim().max(64).nullable(),
};

type LlmFields = { readonly [F in keyof typeof LLM_FIELDS]?: z.infer<(typeof LLM_FIELDS)[F]> | null };

/** An LLM as an operator or a customer describes it. */
export interface LlmDefinition extends LlmFields {
  /** For messages and logs. */
  readonly name: string;
  /** Id of a provider. */
  readonly format: string;
  /** At least one. Either a base URL or the full endpoint. */
  readonly urls: readonly LlmUrl[];
  readonly modelName: string;
  /** API key, not encrypted. */
  readonly secret: string | null;
  /** Of speech-to-speech models. */
  readonly speech?: Partial<SpeechSettings> | null;
  /** It is an agent of ElevenLabs. Its signed URL is a secret. */
  readonly agent?: AgentSettings;
}

export interface LlmUrl {
  readonly url: string;
  readonly region?: string | null;
}

export type Fetch = typeof globalThis.fetch;

import { type LlmPriceDraft, llmPriceDraftOf, llmPricesOf } from '../prices/price-draft.ts';
import type { LlmDetails, LlmInput, SpeechSettings } from './llm-api.ts';

/** Models of this format hear and speak themselves. */
export const SPEECH = 'advanced_voice';

/** Formats of requests, and where the best known endpoint of each begins. */
export const FORMATS: readonly { readonly id: string; readonly name: string; readonly url?: string }[] = [
  { id: 'openai', name: 'OpenAI chat format', url: 'https://api.openai.com/v1' },
  { id: 'anthropic', name: 'Anthropic Messages', url: 'https://api.anthropic.com' },
  { id: 'gemini', name: 'Gemini', url: 'https://generativelanguage.googleapis.com/v1beta' },
  { id: 'groq_openai', name: 'Groq', url: 'https://api.groq.com/openai/v1' },
  { id: 'azure_openai', name: 'Azure OpenAI' },
  { id: SPEECH, name: 'Speech to speech (OpenAI Realtime, Gemini Live)', url: 'https://api.openai.com/v1' },
];

/** What a new model that speaks is set to. */
const SPEECH_DEFAULTS: SpeechSettings = {
  protocol: 'openai',
  voice: 'marin',
  turns: 'parley',
  transcriptionModel: 'gpt-4o-mini-transcribe',
};

/** What a model that speaks may be talked with. */
export const PROTOCOLS: readonly { readonly id: SpeechSettings['protocol']; readonly name: string }[] = [
  { id: 'openai', name: 'OpenAI Realtime' },
  { id: 'gemini', name: 'Gemini Live' },
];

/** Who may say that the user has finished. */
export const TURNS: readonly { readonly id: SpeechSettings['turns']; readonly name: string }[] = [
  { id: 'parley', name: 'Parley: it also judges interruptions' },
  { id: 'server_vad', name: 'The model, by the length of the pause' },
  { id: 'semantic_vad', name: 'The model, by what was said' },
];

/** The texts of the form; an empty number is none. */
export interface LlmDraft {
  readonly displayName: string;
  readonly description: string;
  readonly llmFormat: string;
  readonly url: string;
  readonly modelName: string;
  readonly secret: string;
  readonly temperature: string;
  readonly maxTokens: string;
  readonly deploymentName: string;
  readonly apiVersion: string;
  readonly isZdr: boolean;
  readonly speech: SpeechSettings;
  readonly prices: LlmPriceDraft;
}

export function draftOf(llm: LlmDetails | null): LlmDraft {
  return {
    displayName: llm?.displayName ?? '',
    description: llm?.description ?? '',
    llmFormat: llm?.llmFormat ?? 'openai',
    url: llm?.urls[0]?.url ?? '',
    modelName: llm?.modelName ?? '',
    secret: '',
    temperature: llm?.temperature?.toString() ?? '',
    maxTokens: llm?.maxTokens?.toString() ?? '',
    deploymentName: llm?.deploymentName ?? '',
    apiVersion: llm?.apiVersion ?? '',
    isZdr: llm?.isZdr ?? false,
    speech: llm?.speech ?? SPEECH_DEFAULTS,
    prices: llmPriceDraftOf(llm?.prices ?? null),
  };
}

/** @returns what the API takes. An empty key is left out: the stored one stays. Other empty fields are emptied. */
export function inputOf(draft: LlmDraft): LlmInput {
  const { temperature, maxTokens, deploymentName, apiVersion, secret, description, ...rest } = draft;
  return {
    ...rest,
    description: description || null,
    temperature: temperature === '' ? null : Number(temperature),
    maxTokens: maxTokens === '' ? null : Number(maxTokens),
    deploymentName: deploymentName || null,
    apiVersion: apiVersion || null,
    speech: draft.llmFormat === SPEECH ? draft.speech : null,
    prices: llmPricesOf(draft.prices),
    ...(secret === '' ? {} : { secret }),
  };
}

import type { LlmPrices } from '../../../../control/costs/price-schema.ts';
import { request } from '../../api/client.ts';
import type { Llm } from '../../api/types.ts';

export interface LlmDetails extends Llm {
  readonly llmFormat: string;
  readonly urls: readonly { readonly url: string }[];
  readonly modelName: string;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly deploymentName: string | null;
  readonly apiVersion: string | null;
  readonly isZdr: boolean;
  /** Null: it neither hears nor speaks. */
  readonly speech: SpeechSettings | null;
  readonly prices: LlmPrices | null;
}

/** Of a model that hears and speaks itself. */
export interface SpeechSettings {
  readonly protocol: 'openai' | 'gemini';
  readonly voice: string;
  /** Who says when the user has finished. */
  readonly turns: 'parley' | 'server_vad' | 'semantic_vad';
  readonly transcriptionModel: string;
}

export interface LlmInput {
  readonly displayName: string;
  readonly description: string | null;
  readonly llmFormat: string;
  readonly url: string;
  readonly modelName: string;
  readonly isZdr: boolean;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly deploymentName: string | null;
  readonly apiVersion: string | null;
  readonly speech: SpeechSettings | null;
  readonly prices: LlmPrices | null;
  /** Absent: it stays as it is. */
  readonly secret?: string;
}

export const getLlm = (id: string) => request<LlmDetails>('GET', `/v1/llms/${id}`);
export const createLlm = (llm: LlmInput) => request<LlmDetails>('POST', '/v1/llms', llm);
export const updateLlm = (id: string, llm: LlmInput) => request<LlmDetails>('PUT', `/v1/llms/${id}`, llm);
export const checkLlm = (id: string) => request<LlmCheck>('POST', `/v1/llms/${id}/check`);

export interface LlmCheck {
  readonly ok: boolean;
  readonly message: string | null;
  /** What the endpoint refused, and what is done about it. */
  readonly notes: readonly string[];
}

import { createHash } from 'node:crypto';
import type { AvatarModel } from './avatar-models.ts';
import type { VoiceFamily } from '../../models/ports.ts';

/** Built-in avatars, voices and LLMs, which every organization can use. The engine supplies these short lists. */
export interface Catalogue {
  readonly voices: readonly StockVoice[];
  readonly avatars: readonly StockAvatar[];
  readonly llms: readonly StockLlm[];
  /** Whether the recognizers, and the embeddings service, have zero data retention (ZDR). */
  readonly isZdr: { readonly stt: boolean; readonly embeddings: boolean };
  /** The recognizers, the operator's preferred one first. */
  readonly recognizers: readonly { readonly id: string; readonly languages: readonly string[] | 'any' }[];
  /** ISO 639-1 codes that the recognizers understand. */
  readonly recognizedLanguages: readonly string[] | 'any';
  /** The voice and the LLM of personas that name none. */
  readonly defaultVoiceId: string;
  readonly defaultLlmId: string;
}

export interface StockVoice {
  readonly id: string;
  readonly displayName: string;
  readonly description: string | null;
  /** The spelling of the HTTP API, for example `LOCAL`. */
  readonly provider: string;
  /** Key of the synthesizer in the engine's registry. */
  readonly engineProvider: string;
  readonly family: VoiceFamily;
  readonly providerVoiceId: string;
  readonly providerModelId: string | null;
  /** The provider's own recording of it. Null: there is none, and the voice says a sentence instead. */
  readonly sample: ProviderSample | null;
  readonly gender: 'male' | 'female' | 'neutral' | null;
  readonly country: string | null;
  /** ISO 639-1 codes that can be spoken when it is chosen. */
  readonly languages: readonly string[] | 'any';
  /** The languages that it was made for, the best one first. In others another voice may speak. */
  readonly ownLanguages: readonly string[] | 'any';
  readonly displayTags: readonly string[];
  readonly isZdr: boolean;
}

export interface ProviderSample {
  /** Another recording has another one. */
  readonly key: string;
  /** @returns the bytes of a sound file, whatever it is. @throws when it cannot be had. */
  read(signal: AbortSignal): Promise<Uint8Array>;
}

export interface StockAvatar {
  readonly id: string;
  readonly displayName: string;
  readonly variantName: string;
  /** Key of the prepared avatar in the engine's library. */
  readonly engineKey: string;
  /** Models that can render it, the default one first. */
  readonly models: readonly AvatarModel[];
  readonly description: string | null;
  readonly displayTags: readonly string[];
  readonly renderStyle: RenderStyle;
  /** A still image. Null: there is none of that shape. */
  image(shape: ImageShape): Promise<Image | null>;
}

export const RENDER_STYLES = ['realistic', 'animated_3d', 'illustrated', 'unknown'] as const;
export type RenderStyle = (typeof RENDER_STYLES)[number];

export type ImageShape = 'square' | 'landscape' | 'portrait';

export interface Image {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export interface StockLlm {
  readonly id: string;
  /** Symbolic ids, and ids of other deployments, that also mean this LLM. */
  readonly aliases: readonly string[];
  readonly displayName: string;
  readonly description: string | null;
  readonly llmFormat: string;
  readonly modelName: string;
  readonly displayTags: readonly string[];
  readonly isZdr: boolean;
  /** It can be read, and works where it is used, but cannot be chosen any more. */
  readonly deprecated: boolean;
}

/** The UUID of a built-in entry. It is the same in every installation. */
export function stockId(kind: 'voice' | 'avatar' | 'llm', key: string): string {
  const hash = createHash('sha256').update(`parley ${kind} ${key}`).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** Means that the client generates the answers, without an LLM of the service. A literal of the contract, not a row. */
export const CLIENT_LLM = 'CUSTOMER_CLIENT_V1';

/**
 * Ids of hosted stock models that existing back ends send. They mean this deployment's default LLM. The prefix is the
 * name of the host.
 */
const LEGACY_LLM_NAME = /^[A-Z]{2,16}_(LLAMA_v3_3_70B_V1|GPT_4O_MINI_V1)$/;
const LEGACY_LLM_IDS: ReadonlySet<string> = new Set([
  'a7cf662c-2ace-4de1-a21e-ef0fbf144bb7',
  '0934d97d-0c3a-4f33-91b0-5e136a0ef466',
]);

/** @returns the built-in LLM with this `llmId` or `brainType`, or null. */
export function findStockLlm(catalogue: Catalogue, id: string): StockLlm | null {
  const exact = catalogue.llms.find((llm) => llm.id === id || llm.aliases.includes(id));
  if (exact !== undefined) return exact;
  if (!LEGACY_LLM_NAME.test(id) && !LEGACY_LLM_IDS.has(id)) return null;
  return catalogue.llms.find((llm) => llm.id === catalogue.defaultLlmId) ?? null;
}

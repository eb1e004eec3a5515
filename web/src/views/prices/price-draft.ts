import type { LlmPrices } from '../../../../control/costs/price-schema.ts';
import type { PricesInput, PricesResponse } from '../../../../control/api/organization/prices-schema.ts';

/** The texts of the form. An empty one is no price. */
export type LlmPriceDraft = Readonly<Record<keyof LlmPrices, string>>;

export interface PriceDraft {
  readonly currency: string;
  readonly conversationMinute: string;
  readonly recognizers: Readonly<Record<string, string>>;
  readonly voices: Readonly<Record<string, string>>;
  readonly llms: Readonly<Record<string, LlmPriceDraft>>;
}

/** With all that the deployment has, and what else has a price. */
export function priceDraftOf({ providers, ...prices }: PricesResponse): PriceDraft {
  const { currency, conversationMinute, recognizers, voices, llms } = prices;
  return {
    currency,
    conversationMinute: textOf(conversationMinute),
    recognizers: textsOf(providers.recognizers, recognizers),
    voices: textsOf(providers.voices, voices),
    llms: Object.fromEntries(namesOf(providers.llms, llms).map((name) => [name, llmPriceDraftOf(llms[name] ?? null)])),
  };
}

/** As the API takes it; what lacks a part, it refuses. */
export function pricesOf({ currency, conversationMinute, recognizers, voices, llms }: PriceDraft): PricesInput {
  return {
    currency,
    conversationMinute: numberOf(conversationMinute),
    recognizers: numbersOf(recognizers),
    voices: numbersOf(voices),
    llms: Object.fromEntries(
      Object.entries(llms).flatMap(([name, draft]) => {
        const prices = llmPricesOf(draft);
        return prices === null ? [] : [[name, prices]];
      }),
    ),
  };
}

export function llmPriceDraftOf(prices: LlmPrices | null): LlmPriceDraft {
  return {
    input: textOf(prices?.input ?? null),
    cachedInput: textOf(prices?.cachedInput ?? null),
    cacheWrite: textOf(prices?.cacheWrite ?? null),
    output: textOf(prices?.output ?? null),
    audioInput: textOf(prices?.audioInput ?? null),
    cachedAudioInput: textOf(prices?.cachedAudioInput ?? null),
    audioOutput: textOf(prices?.audioOutput ?? null),
  };
}

/** Null: none is set. */
export function llmPricesOf(draft: LlmPriceDraft): LlmPrices | null {
  if (Object.values(draft).every((text) => text === '')) return null;
  return {
    input: numberOf(draft.input),
    cachedInput: numberOf(draft.cachedInput),
    cacheWrite: numberOf(draft.cacheWrite),
    output: numberOf(draft.output),
    audioInput: numberOf(draft.audioInput),
    cachedAudioInput: numberOf(draft.cachedAudioInput),
    audioOutput: numberOf(draft.audioOutput),
    // The API says of the ones that are missing that they are.
  } as LlmPrices;
}

const textOf = (price: number | null): string => price?.toString() ?? '';
const numberOf = (text: string): number | null => (text === '' ? null : Number(text));

function textsOf(names: readonly string[], prices: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(namesOf(names, prices).map((name) => [name, textOf(prices[name] ?? null)]));
}

/** Those of the deployment, then others that have a price. */
function namesOf(ofDeployment: readonly string[], prices: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...ofDeployment, ...Object.keys(prices)])];
}

function numbersOf(texts: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === '' ? [] : [[name, Number(text)]])),
  );
}

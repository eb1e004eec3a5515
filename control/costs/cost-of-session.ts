import type { UsageRecord } from '../../actors/report.ts';
import type { Amounts } from '../../models/ports.ts';
import { type LlmPrices, MICROS, NO_PRICES, type Prices } from './price-schema.ts';

/** What is paid by. Tokens and characters by the million, the others by the minute. */
export type CostUnit =
  | 'inputTokens'
  | 'cachedInputTokens'
  | 'cacheWriteTokens'
  | 'outputTokens'
  | 'audioInputTokens'
  | 'cachedAudioInputTokens'
  | 'audioOutputTokens'
  | 'characters'
  | 'audioMs'
  | 'conversationMs';

export interface CostLine {
  readonly service: UsageRecord['service'] | 'conversation';
  /** Null: nobody else is paid. */
  readonly provider: string | null;
  readonly unit: CostUnit;
  readonly quantity: number;
  /** For a million, or a minute. Null: none is set. */
  readonly price: number | null;
  /** Millionths of the currency. Null: not known. */
  readonly micros: number | null;
}

export interface Cost {
  readonly currency: string;
  /** Of all lines whose price is known: millionths of the currency. */
  readonly micros: number;
  /** False: something was used of which it is not known how much, or what it costs. It cost at least this much. */
  readonly isComplete: boolean;
  readonly lines: readonly CostLine[];
}

export interface PricedSession {
  readonly usage: readonly UsageRecord[];
  readonly lengthMs: number;
  /** Null: the organization has set none. */
  readonly prices: Prices | null;
  /** Of the persona's own LLM. Null: none are set. */
  readonly ownLlm: LlmPrices | null;
  /** Whether its LLM is one of the organization: then place 0 is that one. */
  readonly hasOwnLlm: boolean;
  /** Of providers without a price, those that are paid nothing, because they run on the machine itself. */
  readonly isFree: (service: UsageRecord['service'], provider: string) => boolean;
}

/** @returns what a session cost; null where no price is set. */
export function costOfSession(session: PricedSession): Cost | null {
  const { usage, lengthMs, prices, ownLlm, hasOwnLlm, isFree } = session;
  const of = prices ?? NO_PRICES;
  if (ownLlm === null && !hasPrice(of)) return null;
  const used = usage.flatMap((record) => {
    const { service, provider, place, amounts } = record;
    const llm = service === 'llm' && hasOwnLlm && place === 0 ? ownLlm : own(of.llms, provider);
    return (Object.keys(UNITS[service]) as CostUnit[]).flatMap((unit) => {
      const quantity = amounts[unit as keyof Amounts] ?? 0;
      const price = priceOf(of, llm, provider, unit) ?? (isFree(service, provider) ? 0 : null);
      return quantity === 0 ? [] : [line(service, provider, unit, quantity, price)];
    });
  });
  const { conversationMinute } = of;
  const conversation =
    conversationMinute === null ? [] : [line('conversation', null, 'conversationMs', lengthMs, conversationMinute)];
  const lines = [...used, ...conversation];
  return {
    currency: of.currency,
    micros: lines.reduce((sum, { micros }) => sum + (micros ?? 0), 0),
    isComplete: usage.every(isToldWhole) && lines.every(({ micros }) => micros !== null),
    lines,
  };
}

/** Of each service, and for how much of it the price is. */
const UNITS: Readonly<Record<CostLine['service'], Partial<Record<CostUnit, number>>>> = {
  llm: {
    inputTokens: MICROS,
    cachedInputTokens: MICROS,
    cacheWriteTokens: MICROS,
    outputTokens: MICROS,
    audioInputTokens: MICROS,
    cachedAudioInputTokens: MICROS,
    audioOutputTokens: MICROS,
  },
  stt: { audioMs: 60_000 },
  tts: { characters: MICROS },
  conversation: { conversationMs: 60_000 },
};

function line(
  service: CostLine['service'],
  provider: string | null,
  unit: CostUnit,
  quantity: number,
  price: number | null,
): CostLine {
  const micros = price === null ? null : product(price, Math.round(quantity), UNITS[service][unit]!);
  return { service, provider, unit, quantity, price, micros };
}

/** Whole numbers all the way, rounded once, half up. */
function product(price: number, quantity: number, per: number): number {
  const whole = BigInt(Math.round(price * MICROS)) * BigInt(quantity);
  return Number((2n * whole + BigInt(per)) / (2n * BigInt(per)));
}

function priceOf(prices: Prices, llm: LlmPrices | null, provider: string, unit: CostUnit): number | null {
  switch (unit) {
    case 'inputTokens':
      return llm?.input ?? null;
    case 'cachedInputTokens':
      return llm?.cachedInput ?? llm?.input ?? null;
    case 'cacheWriteTokens':
      return llm?.cacheWrite ?? llm?.input ?? null;
    case 'outputTokens':
      return llm?.output ?? null;
    case 'audioInputTokens':
      return llm?.audioInput ?? null;
    case 'cachedAudioInputTokens':
      return llm?.cachedAudioInput ?? llm?.audioInput ?? null;
    case 'audioOutputTokens':
      return llm?.audioOutput ?? null;
    case 'audioMs':
      return own(prices.recognizers, provider);
    case 'characters':
      return own(prices.voices, provider);
    case 'conversationMs':
      return prices.conversationMinute;
  }
}

const own = <T>(prices: Readonly<Record<string, T>>, provider: string): T | null =>
  Object.hasOwn(prices, provider) ? prices[provider]! : null;

const hasPrice = ({ conversationMinute, recognizers, voices, llms }: Prices): boolean =>
  conversationMinute !== null || [recognizers, voices, llms].some((prices) => Object.keys(prices).length > 0);

const isToldWhole = ({ amounts: { requests = 0, reportedRequests = 0 } }: UsageRecord): boolean =>
  reportedRequests >= requests;

import { z } from 'zod';

/** More than anything costs, and small enough that sums stay whole numbers. */
const MAX_PRICE = 1_000_000;
/** Money is counted in millionths. */
export const MICROS = 1_000_000;

const price = z
  .number()
  .min(0)
  .max(MAX_PRICE)
  .refine((value) => Number.isInteger(Number((value * MICROS).toPrecision(15))), 'must have at most six decimals');

/** Longest name of a provider; an LLM has its format and its model in it. */
const provider = z.string().min(1).max(300);
/** Prices of one kind: more than there are providers. */
const MAX_PRICES = 200;
const byProvider = <T extends z.ZodType>(value: T) =>
  z
    .record(provider, value)
    .refine((prices) => Object.keys(prices).length <= MAX_PRICES, `must have at most ${MAX_PRICES} providers`);

/** What an LLM costs, for a million tokens of each kind, in the currency of the organization. */
export const llmPrices = z
  .strictObject({
    input: price,
    cachedInput: price.nullable().default(null).describe('Read from its cache. Null: as `input`.'),
    cacheWrite: price.nullable().default(null).describe('Read, and put into its cache. Null: as `input`.'),
    output: price,
    audioInput: price.nullable().default(null).describe('Sound that a speech-to-speech model hears. Null: not known.'),
    cachedAudioInput: price.nullable().default(null).describe('Such sound, from its cache. Null: as `audioInput`.'),
    audioOutput: price.nullable().default(null).describe('Sound that it speaks. Null: not known.'),
  })
  .meta({ id: 'LlmPrices' });
export type LlmPrices = z.output<typeof llmPrices>;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const priceFields = {
  currency: z
    .string()
    .refine((code) => CURRENCIES.has(code), 'must be a currency of ISO 4217, such as USD or EUR')
    .describe('ISO 4217. Of all prices, those of LLMs as well.'),
  conversationMinute: price.nullable().describe('Your own costs for a minute of conversation, such as machines.'),
  recognizers: byProvider(price).describe('By recognizer: for a minute of sound that it gets.'),
  voices: byProvider(price).describe('By voice provider: for a million characters that it gets.'),
  llms: byProvider(llmPrices).describe(
    'By format and model, such as `openai gpt-5-mini`: of the built-in LLMs, and of those that take over. LLMs of your own have their ' +
      'prices themselves.',
  ),
};
const prices = z.object(priceFields);
export type Prices = Readonly<z.output<typeof prices>>;

/** As they were stored, perhaps before there were all of these fields. */
export const storedPrices = (json: string): Prices => prices.parse(JSON.parse(json));
export const storedLlmPrices = (json: string): LlmPrices => llmPrices.parse(JSON.parse(json));

export const NO_PRICES: Prices = { currency: 'USD', conversationMinute: null, recognizers: {}, voices: {}, llms: {} };

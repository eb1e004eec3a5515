import { z } from 'zod';
import type { Cost, CostLine } from './cost-of-session.ts';
import { MICROS } from './price-schema.ts';

const money = z.number().describe('In the currency, with at most six decimals.');

export const spent = z
  .object({
    currency: z.string().describe('ISO 4217.'),
    amount: money,
    isComplete: z
      .boolean()
      .describe('False: it cost at least this much. An LLM did not tell its tokens, or something has no price.'),
    sessions: z.number().int().describe('How many of them have a cost.'),
  })
  .meta({ id: 'Spent' });
export type Spent = z.infer<typeof spent>;

const costFields = spent.omit({ sessions: true });

export const costTotal = costFields
  .nullable()
  .describe('Null while it lasts, and where no prices were set when it ended.');
export type CostTotal = z.infer<typeof costTotal>;

export const costDetails = z
  .object({
    ...costFields.shape,
    lines: z.array(
      z.object({
        service: z.enum(['llm', 'stt', 'tts', 'conversation']),
        provider: z.string().nullable(),
        unit: z.enum([
          'inputTokens',
          'cachedInputTokens',
          'cacheWriteTokens',
          'outputTokens',
          'audioInputTokens',
          'cachedAudioInputTokens',
          'audioOutputTokens',
          'characters',
          'audioMinutes',
          'conversationMinutes',
        ]),
        quantity: z.number(),
        price: z
          .number()
          .nullable()
          .describe('For a million tokens or characters, or for a minute. Null: none was set.'),
        amount: money.nullable(),
      }),
    ),
  })
  .nullable()
  .meta({ id: 'SessionCost' });
export type CostDetails = z.infer<typeof costDetails>;

/** The nearest number to a whole number of millionths, which is written with six decimals at most. */
const amountOf = (micros: number): number => micros / MICROS;

export function totalOf(cost: Cost | null): CostTotal {
  if (cost === null) return null;
  const { currency, micros, isComplete } = cost;
  return { currency, amount: amountOf(micros), isComplete };
}

export function detailsOf(cost: Cost | null): CostDetails {
  return cost === null ? null : { ...totalOf(cost)!, lines: cost.lines.map(shown) };
}

/** Minutes to a hundredth of a second. */
const minutes = (ms: number): number => Math.round(ms / 0.6) / 100_000;

function shown({ unit, quantity, micros, ...line }: CostLine): NonNullable<CostDetails>['lines'][number] {
  const amount = micros === null ? null : amountOf(micros);
  if (unit === 'audioMs') return { ...line, unit: 'audioMinutes', quantity: minutes(quantity), amount };
  if (unit === 'conversationMs') return { ...line, unit: 'conversationMinutes', quantity: minutes(quantity), amount };
  return { ...line, unit, quantity, amount };
}

/** @returns what several sessions cost together, each currency by itself; nothing where no prices were set. */
export function spentOn(costs: readonly (Cost | null)[]): Spent[] {
  const byCurrency = Map.groupBy(
    costs.filter((cost) => cost !== null),
    ({ currency }) => currency,
  );
  return [...byCurrency].map(([currency, of]) => ({
    currency,
    amount: amountOf(of.reduce((sum, { micros }) => sum + micros, 0)),
    isComplete: of.every(({ isComplete }) => isComplete),
    sessions: of.length,
  }));
}

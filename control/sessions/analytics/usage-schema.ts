import { z } from 'zod';
import { spent } from '../../costs/cost-schema.ts';

/** Two quarters, to compare one with the one before. */
const MAX_DAYS = 184;
/** From UTC−12 to UTC+14, in minutes. */
const FIRST_OFFSET = -720;
const LAST_OFFSET = 840;

export const usageQuery = z.object({
  days: z.coerce.number().int().min(1).max(MAX_DAYS).default(30).describe('How many days, the last one is today.'),
  utcOffsetMinutes: z.coerce
    .number()
    .int()
    .min(FIRST_OFFSET)
    .max(LAST_OFFSET)
    .default(0)
    .describe('Where days begin: 120 for UTC+2.'),
});

export const percentiles = z
  .object({
    count: z.number().int(),
    p50: z.number().nullable(),
    p95: z.number().nullable(),
  })
  .meta({ id: 'LatencyPercentiles' });

export const usageDay = z
  .object({
    date: z.string().describe('YYYY-MM-DD.'),
    sessions: z.number().int().describe('That began on this day.'),
    failedSessions: z.number().int().describe('Those of them that an error ended.'),
    minutes: z.number().describe('Length of these sessions. Sessions that still run count until now.'),
    costs: z.array(spent).describe('What these sessions cost, each currency by itself. Empty: no prices were set.'),
    turns: z.number().int(),
    interruptedTurns: z.number().int(),
    firstAudioLatencySeconds: percentiles.describe('End of speech to speaking.'),
    llmTimeToFirstOutputSeconds: percentiles,
  })
  .meta({ id: 'UsageDay' });

export const usageResponse = z
  .object({
    days: z.array(usageDay).describe('The oldest first; days without sessions too.'),
    total: usageDay.omit({ date: true }).describe('Of the whole period.'),
    personas: z
      .array(
        usageDay.pick({ sessions: true, minutes: true, costs: true }).extend({
          personaId: z.string().nullable(),
          name: z.string().nullable().describe('Null: those that came with their requests, together.'),
        }),
      )
      .describe('Those that talked most come first, at most 100.'),
    truncated: z.boolean().describe('Latencies are of the newest 20,000 turns only.'),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof usageResponse>;
export type UsageDay = z.infer<typeof usageDay>;

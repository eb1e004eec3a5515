import { z } from 'zod';
import { spent } from '../../costs/cost-schema.ts';
import { percentiles } from '../../sessions/analytics/usage-schema.ts';

const verdictCounts = z.object({
  passed: z.number().int(),
  failed: z.number().int(),
  unclear: z.number().int(),
});

export const versionFigures = z
  .object({
    version: z.union([z.number().int(), z.literal('draft')]),
    sessions: z.number().int().describe('Those that are over.'),
    errors: z.number().int().describe('Of them, those that ended by an error.'),
    averageLengthMs: z.number().nullable(),
    costs: z.array(spent).describe('What they cost together, each currency by itself. Empty: no prices were set.'),
    firstAudioLatencySeconds: percentiles.describe('From the end of what the user says to the first sound.'),
    graded: verdictCounts.describe('Conversations, by whether all criteria were true of them.'),
    criteria: z.array(verdictCounts.extend({ name: z.string() })),
  })
  .meta({ id: 'PersonaVersionFigures' });

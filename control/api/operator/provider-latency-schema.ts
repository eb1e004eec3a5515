import { z } from 'zod';
import { TIMED_RESULTS } from '../../../models/latency-table.ts';
import { timestamp } from '../../http/schemas.ts';

const ms = z.number().int().min(0).nullable();

export const providerLatency = z.object({
  service: z.enum(['stt', 'llm', 'tts', 'embeddings']),
  result: z
    .enum(TIMED_RESULTS)
    .describe(
      'What is timed. `partial`: the first words of an utterance, from its first sound. ' +
        '`final`: its whole text, from its end. `token`: the first token of an answer, ' +
        '`audio`: the first sound of a sentence, `vectors`: those of all texts, each from the request.',
    ),
  provider: z.string().describe('Id of the provider. `custom-llms` stands for all LLMs that customers have added.'),
  p50Ms: ms.describe('Median of the last 100, in ms; null while there is none.'),
  p95Ms: ms.describe('95th percentile of the last 100, in ms; null while there is none.'),
  answered: z.number().int().describe('Requests since the start of the process that had a result.'),
  failed: z.number().int().describe('Requests since the start of the process that failed.'),
  lastFailure: z
    .object({ code: z.string().describe('What kind of failure, for example `auth` or `timeout`.'), at: timestamp })
    .nullable(),
});

export const providerLatencies = z.object({ data: z.array(providerLatency) });
export type ProviderLatencies = z.infer<typeof providerLatencies>;

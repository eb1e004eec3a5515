import { z } from 'zod';

export const localModelId = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be lower-case letters, digits and dashes'),
});

export const localModelResponse = z
  .object({
    id: z.string(),
    kind: z.enum(['recognizer', 'final-pass', 'voice', 'noise', 'end-of-turn', 'embeddings']),
    title: z.string(),
    languages: z.array(z.string()).describe('ISO 639-1. Empty: any language.'),
    bytes: z.number().int().describe('Size of the download.'),
    license: z.string().describe('SPDX identifier, as the publisher names it.'),
    notice: z.string().nullable().describe('What else the license asks, or what else is inside.'),
    home: z.string().describe('Where the publisher describes it.'),
    suggested: z.boolean().describe('Whether it belongs to the usual choice for one of its languages.'),
    state: z
      .enum(['absent', 'waiting', 'fetching', 'unpacking', 'failed', 'damaged', 'here', 'used', 'not used'])
      .describe('`here`: it is used after the service has started again. `not used`: `problem` says why.'),
    received: z.number().int().nullable().describe('Bytes so far, while it is being fetched.'),
    problem: z.string().nullable().describe('Why it failed or is not used.'),
  })
  .meta({ id: 'LocalModel' });
export type LocalModelResponse = z.output<typeof localModelResponse>;

export const localModelList = z.object({
  data: z.array(localModelResponse),
  restart: z
    .enum(['none', 'when idle'])
    .describe('`when idle`: the service starts again, with the new models, as soon as no session is active.'),
});
export type LocalModelList = z.output<typeof localModelList>;

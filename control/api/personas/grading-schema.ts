import { z } from 'zod';
import { toolParameters } from '../tools/tool-parameters.ts';

/** Each is a paragraph for the LLM: more would cost more than a conversation. */
const MAX_CRITERIA = 20;
/** Bytes of JSON. */
const MAX_SCHEMA_SIZE = 16_384;

const criterion = z.object({
  name: z.string().trim().min(1).max(64).describe('What lists and figures call it.'),
  description: z.string().trim().min(1).max(1000).describe('What has to be true of the conversation.'),
});

/** What is asked of each conversation of a persona when it is over. */
export const grading = z
  .object({
    summary: z.boolean().default(true).describe('Whether a summary is written.'),
    criteria: z
      .array(criterion)
      .max(MAX_CRITERIA)
      .default([])
      .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'names must be different')
      .describe('A conversation is a success when all of them are true of it. Their names are different.'),
    fields: toolParameters(MAX_SCHEMA_SIZE)
      .nullable()
      .default(null)
      .describe('JSON Schema of an object: what is taken out of the conversation.'),
  })
  .refine(
    ({ summary, criteria, fields }) => summary || criteria.length > 0 || fields !== null,
    'must ask for something: a summary, criteria or fields',
  );
export type Grading = z.infer<typeof grading>;

import { z } from 'zod';
import { languageCodeSchema } from '../../../actors/settings/voice-options.ts';
import { timestamp } from '../../http/schemas.ts';

/** Services take 100 terms; names of the persona, its tools and its knowledge need some of them. */
const MAX_KEY_TERMS = 50;
/** As long as every service takes them. */
const MAX_KEY_TERM_LENGTH = 50;

const fields = {
  languageCode: languageCodeSchema
    .nullable()
    .describe('ISO 639-1. Language of personas whose own is `inherit`. Null: it is detected.'),
  recognizer: z
    .string()
    .max(64)
    .nullable()
    .describe('Which recognizer is preferred, one of `recognizers`. Null: as the operator orders them.'),
  keyTerms: z
    .array(z.string().trim().min(1).max(MAX_KEY_TERM_LENGTH))
    .max(MAX_KEY_TERMS)
    .describe('Names and terms that users say. Not every recognizer can be told.'),
};

export const updateTranscription = z.strictObject(fields).partial();
export type TranscriptionInput = z.output<typeof updateTranscription>;

export const transcriptionResponse = z.object({
  languageCode: z.string().nullable(),
  recognizer: z.string().nullable(),
  keyTerms: z.array(z.string()),
  recognizers: z
    .array(z.object({ id: z.string(), languages: z.union([z.literal('any'), z.array(z.string())]) }))
    .describe('What this deployment has, the preferred one first.'),
  updatedAt: timestamp.nullable(),
});
export type TranscriptionResponse = z.output<typeof transcriptionResponse>;

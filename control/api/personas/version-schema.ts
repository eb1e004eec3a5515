import { z } from 'zod';
import { timestamp } from '../../http/schemas.ts';
import { personaContent, updatePersona } from './persona-schema.ts';

const note = z.string().max(2000);

/** Of what a route publishes. */
export const publishBody = z
  .object({ note: note.default('').describe('Why, for whoever reads the list of versions.') })
  .meta({ id: 'PublishPersona', examples: [{ note: 'Asks for the booking number first' }] });

export const versionSummary = z
  .object({
    number: z.number().int().describe('From 1. Each change gets the next one.'),
    note,
    origin: z.enum(['api', 'draft', 'rollback']).describe('Whether the API, a draft or a roll-back made it.'),
    isLive: z.boolean(),
    publishedBy: z
      .object({ kind: z.enum(['user', 'api-key']), name: z.string().nullable().describe('Null: deleted since.') })
      .nullable()
      .describe('Who made it live. Null: nobody has noted it.'),
    createdAt: timestamp,
  })
  .meta({ id: 'PersonaVersionSummary' });

/** Fields that a later version of Parley has are not in it. */
export const versionResponse = versionSummary
  .extend({ content: personaContent.partial() })
  .meta({ id: 'PersonaVersion' });

export const draftBody = z
  .object({ changes: updatePersona.describe('What differs from what is live. Replaces the draft of before.') })
  .meta({ id: 'SaveDraft', examples: [{ changes: { systemPrompt: 'You are the night porter of a small hotel.' } }] });

export const draftResponse = z
  .object({
    changes: updatePersona.describe('What differs from what is live. Empty: there is no draft.'),
    content: personaContent.describe('What will be live when the draft is published.'),
    live: personaContent,
    liveVersion: z.number().int(),
    baseVersion: z.number().int().describe('What was live when the draft was begun.'),
    updatedAt: timestamp.nullable().describe('Null: there is no draft.'),
    keptUntil: timestamp.nullable().describe('A draft that nobody saves any more is deleted then.'),
  })
  .meta({ id: 'PersonaDraft' });

import { z } from 'zod';
import { originList } from '../../http/origins.ts';
import { variableValues } from '../personas/persona-variables.ts';
import { versionShares } from '../personas/version-shares-schema.ts';
import { timestamp, uuid } from '../../http/schemas.ts';

/** From one hour to ten years. */
const expiresInHours = z
  .number()
  .min(1)
  .max(87_600)
  .nullable()
  .describe('Hours from now after which the link stops working; null: never.');
const usageLimit = z
  .number()
  .int()
  .min(1)
  .max(1_000_000_000)
  .nullable()
  .describe('How many conversations can be held with the link; null: any number.');

/** Where the link can be used beside the pages of this service. */
const sites = {
  allowedOrigins: originList.describe('Web sites whose pages may use the link. A bare domain means https.'),
  allowAllOrigins: z.boolean().describe('Any web site; `allowedOrigins` is then ignored.'),
  removeWatermark: z.boolean(),
  variableValues,
  versions: versionShares.nullable().describe('Null: what is live.'),
};

export const createShareLink = z
  .object({
    personaId: z.string().min(1).max(128),
    expiresInHours: expiresInHours.default(168),
    usageLimit: usageLimit.default(10),
  })
  .extend(z.object(sites).partial().shape)
  .meta({
    id: 'CreateShareLink',
    examples: [{ personaId: '0b0cfd4b-9a4d-4a5b-8d1c-2f1f3a7f6c55', expiresInHours: 24 }],
  });

export const updateShareLink = z
  .object({
    expiresInHours,
    usageLimit,
    ...sites,
    enabled: z.boolean().describe('False withdraws the link and ends its conversations.'),
  })
  .partial()
  .meta({ id: 'UpdateShareLink' });

export const shareLinkResponse = z
  .object({
    id: uuid,
    token: z.string(),
    type: z.enum(['LINK', 'PLAYER_EMBED', 'ORB_EMBED']),
    expiresAt: timestamp.nullable(),
    usageLimit: z.number().int().nullable(),
    usageCount: z.number().int(),
    allowedOrigins: z.array(z.string()),
    allowAllOrigins: z.boolean(),
    removeWatermark: z.boolean().describe('For pages that show a mark of their maker; new links leave it there.'),
    variableValues,
    versions: versionShares.nullable(),
    enabled: z.boolean(),
    isPrimary: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'ShareLink' });

export const personaShareLink = shareLinkResponse
  .extend({ personaId: z.string(), personaName: z.string(), organizationId: z.string() })
  .meta({ id: 'PersonaShareLink' });

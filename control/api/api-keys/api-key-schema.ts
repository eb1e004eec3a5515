import { z } from 'zod';
import { timestamp, uuid } from '../../http/schemas.ts';

export const createApiKeyBody = z
  .strictObject({
    name: z.string().trim().min(1).max(255).describe('To tell it from others.'),
    scopes: z
      .array(z.string().max(64).meta({ pattern: '^[a-z]+(?:-[a-z]+)*(?::read)?$' }))
      .min(1)
      .max(100)
      .optional()
      .describe(
        'What the key may do; `:read` after a scope limits it to reading. ' +
          'At most what the key of this request may do itself. Absent: the usual ones, as far as this key has them.',
      ),
  })
  .meta({ id: 'CreateApiKey', examples: [{ name: 'Web site', scopes: ['sessions', 'personas:read'] }] });

export const apiKeyResponse = z
  .object({
    id: uuid,
    name: z.string(),
    scopes: z.array(z.string()),
    isThisKey: z.boolean().describe('Whether it is the key of this request.'),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().describe('To the minute.'),
    revokedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyResponse = z.infer<typeof apiKeyResponse>;

export const apiKeyList = z.object({
  data: z.array(apiKeyResponse),
  grantableScopes: z.array(z.string()).describe('Scopes that a new key may get from the key of this request.'),
  defaultScopes: z.array(z.string()).describe('Those of them that a new key gets unless others are named.'),
});

export const createdApiKey = apiKeyResponse
  .extend({ key: z.string().describe('The key itself. It is stored nowhere and never shown again.') })
  .meta({ id: 'CreatedApiKey' });

export const revokeQuery = z.object({
  withTokens: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .describe('Also ends the session tokens that the key has issued.'),
});

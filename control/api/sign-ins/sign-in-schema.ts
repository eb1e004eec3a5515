import { z } from 'zod';
import { MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARACTERS } from '../../access/passwords.ts';
import { ROLES } from '../../access/roles.ts';
import { timestamp, uuid } from '../../http/schemas.ts';

/** A password that is chosen. */
const newPassword = z
  .string()
  .max(MAX_PASSWORD_BYTES)
  .refine((text) => [...text].length >= MIN_PASSWORD_CHARACTERS, {
    message: `must have at least ${MIN_PASSWORD_CHARACTERS} characters`,
    abort: true,
  })
  .refine((text) => Buffer.byteLength(text) <= MAX_PASSWORD_BYTES, {
    message: `must have at most ${MAX_PASSWORD_BYTES} bytes`,
  })
  .meta({ minLength: MIN_PASSWORD_CHARACTERS })
  .describe(`At least ${MIN_PASSWORD_CHARACTERS} characters, at most ${MAX_PASSWORD_BYTES} bytes.`);
/** One that is claimed. */
const password = z.string().max(MAX_PASSWORD_BYTES);

export const signInBody = z
  .strictObject({ email: z.string().max(254).trim().toLowerCase(), password })
  .meta({ id: 'SignIn', examples: [{ email: 'ada@example.com', password: 'four words of a poem' }] });

export const startedSignIn = z
  .object({
    token: z.string().describe('To be sent as `Authorization: Bearer`, as an API key is. It is stored nowhere.'),
    expiresAt: timestamp.describe('At the latest. Unused for 12 hours, it ends before.'),
  })
  .meta({ id: 'StartedSignIn' });

export const changePasswordBody = z.strictObject({ currentPassword: password, newPassword }).meta({
  id: 'ChangePassword',
  examples: [{ currentPassword: 'four words of a poem', newPassword: 'other words of a poem' }],
});

const invitationToken = z.string().max(128).describe('What the link has after `#/invitation/`.');

export const lookUpInvitationBody = z
  .strictObject({ token: invitationToken })
  .meta({ id: 'LookUpInvitation', examples: [{ token: 'Hk0XJ3Yw1mT8n4sVQe2Zc7RbLd5Gf9Aq6UpKx0iNoWs' }] });

export const foundInvitation = z
  .object({
    email: z.string(),
    name: z.string(),
    organizationName: z.string(),
    isFirst: z.boolean().describe('Whether the user had no password before.'),
    expiresAt: timestamp,
  })
  .meta({ id: 'FoundInvitation' });

export const acceptInvitationBody = z.strictObject({ token: invitationToken, password: newPassword }).meta({
  id: 'AcceptInvitation',
  examples: [{ token: 'Hk0XJ3Yw1mT8n4sVQe2Zc7RbLd5Gf9Aq6UpKx0iNoWs', password: 'four words of a poem' }],
});

export const meResponse = z
  .object({
    kind: z.enum(['api-key', 'user']),
    id: uuid,
    name: z.string(),
    email: z.string().nullable().describe('Of a user.'),
    role: z.enum(ROLES).nullable().describe('Of a user.'),
    scopes: z.array(z.string()).describe('What is allowed; `:read` after a scope limits it to reading.'),
    organization: z.object({ id: uuid, name: z.string() }),
  })
  .meta({ id: 'Me' });
export type MeResponse = z.infer<typeof meResponse>;

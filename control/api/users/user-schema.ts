import { z } from 'zod';
import { ROLES } from '../../access/roles.ts';
import { pageQuery } from '../../http/paging.ts';
import { timestamp, uuid } from '../../http/schemas.ts';

const name = z.string().trim().min(1).max(255);
const role = z
  .enum(ROLES)
  .describe(
    '`admin`: everything of the organization. `editor`: everything but users, API keys and settings of the organization. ' +
      '`viewer`: reads, and talks with personas.',
  );

/** RFC 5321 allows 254 characters. What is before and after the @ is the business of mail servers. */
const email = z
  .string()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
  .toLowerCase();

export const inviteUserBody = z
  .strictObject({
    email: email.describe('What the user signs in with. No mail is sent to it.'),
    name: name.optional().describe('Absent: what is before the @.'),
    role,
  })
  .meta({ id: 'InviteUser', examples: [{ email: 'ada@example.com', name: 'Ada Lovelace', role: 'editor' }] });

export const updateUserBody = z
  .strictObject({
    name: name.optional(),
    role: role.optional(),
    disabled: z.boolean().optional().describe('Whoever is disabled is signed out and cannot sign in.'),
  })
  .meta({ id: 'UpdateUser', examples: [{ role: 'viewer' }] });

export const listUsers = z.object(pageQuery(50));

export const userResponse = z
  .object({
    id: uuid,
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    status: z.enum(['invited', 'active', 'disabled']).describe('`invited`: has chosen no password yet.'),
    isYou: z.boolean().describe('Whether it is the user of this request.'),
    invitationExpiresAt: timestamp.nullable().describe('When the last link ends. Null: there is none, or it was used.'),
    createdAt: timestamp,
    lastSignInAt: timestamp.nullable(),
  })
  .meta({ id: 'User' });
export type UserResponse = z.infer<typeof userResponse>;

export const invitationResponse = z
  .object({
    invitationUrl: z
      .string()
      .describe('Whoever opens it chooses the password. It works once, is stored nowhere and never shown again.'),
    invitationExpiresAt: timestamp,
  })
  .meta({ id: 'Invitation' });

export const invitedUser = userResponse.extend({ ...invitationResponse.shape }).meta({ id: 'InvitedUser' });

import type { Refusals } from '../../errors/http-error.ts';

/** What only users are refused for. */
export const userErrors = {
  userNotFound: [404, 'User not found', 'No user of this organization has this id.'],
  emailInUse: [409, 'E-mail is in use', 'A user of this service has this e-mail address already.'],
  ownUser: [
    409,
    'User is yourself',
    'Nobody deletes or disables themselves, or changes their own role, so that nobody locks themselves out. Another admin can do it.',
  ],
  roleOutOfReach: [
    403,
    'Role is out of reach',
    'Whoever invites or changes a user must be allowed to do all that the role of this user allows.',
  ],
} as const satisfies Refusals;

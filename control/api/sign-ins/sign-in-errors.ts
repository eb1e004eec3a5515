import type { Refusals } from '../../errors/http-error.ts';

/** What only those are refused for who sign in. */
export const signInErrors = {
  wrongPassword: [401, 'Wrong e-mail or password', 'No user with this e-mail address has this password.'],
  invitationNotFound: [
    404,
    'Invitation not found',
    'This link was used already, has expired, or a newer one took its place. Ask an admin of your organization for a new one.',
  ],
  notAUser: [409, 'Not a user', 'An API key called. Only a user who has signed in has a password, and can sign out.'],
} as const satisfies Refusals;

import type { Examples } from '../../http/resource.ts';
import { ada } from '../users/user-examples.ts';
import { signInErrors } from './sign-in-errors.ts';
import type { MeResponse } from './sign-in-schema.ts';

const started = {
  token: 'parley_signin_Hk0XJ3Yw1mT8n4sVQe2Zc7RbLd5Gf9Aq6UpKx0iNoWs',
  expiresAt: '2026-12-05T00:55:09.774Z',
};
const me: MeResponse = {
  kind: 'user',
  id: ada.id,
  name: ada.name,
  email: ada.email,
  role: ada.role,
  scopes: ['personas', 'tools', 'session-tokens', 'organization:read'],
  organization: { id: 'd1b5b7a7-5b6c-4e8a-9f0e-2f7a4b8c9d10', name: 'default' },
};

export const signInExamples: Examples = {
  'POST /v1/sign-ins': { answer: started, refusals: [signInErrors.wrongPassword] },
  'DELETE /v1/sign-ins/current': { refusals: [signInErrors.notAUser] },
  'PUT /v1/me/password': { refusals: [signInErrors.notAUser] },
  'GET /v1/me': { answer: me },
  'POST /v1/invitations/look-up': {
    answer: {
      email: ada.email,
      name: ada.name,
      organizationName: me.organization.name,
      isFirst: true,
      expiresAt: '2026-11-28T00:55:09.774Z',
    },
    refusals: [signInErrors.invitationNotFound],
  },
  'POST /v1/invitations/accept': { answer: started, refusals: [signInErrors.invitationNotFound] },
};

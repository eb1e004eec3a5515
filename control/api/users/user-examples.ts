import type { Examples } from '../../http/resource.ts';
import { userErrors } from './user-errors.ts';
import type { UserResponse } from './user-schema.ts';

export const ada: UserResponse = {
  id: '0b0f8f3c-54d2-4c2e-8a55-9a1d4cf0a7e2',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'editor',
  status: 'active',
  isYou: false,
  invitationExpiresAt: null,
  createdAt: '2026-11-21T00:55:09.774Z',
  lastSignInAt: '2026-11-27T08:12:31.020Z',
};

const invitation = {
  invitationUrl: 'https://parley.example.com/#/invitation/Hk0XJ3Yw1mT8n4sVQe2Zc7RbLd5Gf9Aq6UpKx0iNoWs',
  invitationExpiresAt: '2026-11-28T00:55:09.774Z',
};

export const userExamples: Examples = {
  'GET /v1/users': {
    answer: { data: [ada], meta: { total: 1, lastPage: 1, currentPage: 1, perPage: 50, prev: null, next: null } },
  },
  'POST /v1/users': {
    answer: { ...ada, status: 'invited', lastSignInAt: null, ...invitation },
    refusals: [userErrors.emailInUse],
  },
  'GET /v1/users/{id}': { answer: ada },
  'PUT /v1/users/{id}': { answer: { ...ada, role: 'viewer' }, refusals: [userErrors.ownUser] },
  'DELETE /v1/users/{id}': { refusals: [userErrors.ownUser] },
  'POST /v1/users/{id}/invitation': { answer: invitation },
};

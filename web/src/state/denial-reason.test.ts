import { expect, it } from 'vitest';
import type { MeResponse } from '../../../control/api/sign-ins/sign-in-schema.ts';
import { denialReason } from './denial-reason.ts';

/** That these are what the service gives to roles is tested with the guide of roles: `scripts/docs/roles-guide.test.ts`. */
const user = (role: MeResponse['role'], scopes: readonly string[]): MeResponse => ({
  kind: role === null ? 'api-key' : 'user',
  id: '0b0f8f3c-54d2-4c2e-8a55-9a1d4cf0a7e2',
  name: 'Ada',
  email: null,
  role,
  scopes: [...scopes],
  organization: { id: 'd1b5b7a7-5b6c-4e8a-9f0e-2f7a4b8c9d10', name: 'default' },
});

it('says it in one sentence', () => {
  expect(denialReason(user('viewer', ['tools:read']), 'tools', 'change')).toBe(
    'Your role is Viewer: an editor can change this.',
  );
  expect(denialReason(user('viewer', ['tools:read']), 'tools', 'see')).toBeNull();
  expect(denialReason(user('editor', ['tools']), 'users', 'see')).toBe('Your role is Editor: an admin can see this.');
  expect(denialReason(user('admin', ['users']), 'operator', 'see')).toBe(
    'Your role is Admin: whoever runs this service can see this, with an API key.',
  );
  expect(denialReason(user(null, ['tools:read']), 'tools', 'change')).toBe(
    'This API key does not have the scope “tools”.',
  );
  expect(denialReason(user(null, ['admin']), 'tools', 'change')).toBeNull();
  expect(denialReason(null, 'tools', 'change')).toBeNull();
});

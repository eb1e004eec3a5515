import { expect, it } from 'vitest';
import { mayGrant, REACHES, ROLES, scopesOfRole } from '../access/roles.ts';
import { SCOPES } from './scopes.ts';

it('every scope of the service was decided for every role', () => {
  expect(Object.keys(REACHES).toSorted()).toEqual([...SCOPES].toSorted());
});

it('no role reaches beyond its organization, and only admins touch users, keys and settings', () => {
  for (const role of ROLES) {
    expect(scopesOfRole(role)).not.toContain('admin');
    expect(scopesOfRole(role).join()).not.toContain('operator');
  }
  expect(scopesOfRole('admin')).toEqual(expect.arrayContaining(['users', 'api-keys', 'organization']));
  expect(scopesOfRole('editor').join()).not.toMatch(/users|api-keys/);
  expect(scopesOfRole('editor')).toContain('organization:read');
});

it('a viewer reads, and writes nothing but tokens for a conversation', () => {
  expect(scopesOfRole('viewer').filter((scope) => !scope.endsWith(':read'))).toEqual(['session-tokens']);
});

it('nobody makes somebody else more than they are', () => {
  for (const [index, role] of ROLES.entries()) {
    const mayMake = ROLES.filter((wanted) => mayGrant(scopesOfRole(role), wanted));
    expect(mayMake, role).toEqual(ROLES.slice(index));
  }
  expect(mayGrant(['users'], 'viewer')).toBe(false);
  expect(mayGrant(['admin'], 'admin')).toBe(true);
});

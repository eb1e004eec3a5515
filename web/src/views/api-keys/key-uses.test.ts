import { expect, it } from 'vitest';
import { scopesFor } from './key-uses.ts';

const GIVEN = ['personas', 'sessions', 'session-tokens', 'tools', 'admin'];
const USUAL = ['personas', 'sessions', 'session-tokens', 'tools'];

it.each([
  ['conversations', ['sessions', 'session-tokens']],
  ['building', USUAL],
  ['everything', GIVEN],
] as const)('has no more than it needs for %s', (use, scopes) => {
  expect(scopesFor(use, GIVEN, USUAL)).toEqual(scopes);
});

it('gives nothing on that this browser does not have', () => {
  expect(scopesFor('conversations', ['tools'], ['tools'])).toEqual([]);
});

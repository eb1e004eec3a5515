import { expect, it } from 'vitest';
import type { EngineStatus } from '../../engine/ports.ts';
import { EnginePlaces } from './engine-places.ts';

const ANYWHERE = { region: null, policy: 'preferred' } as const;

function taking(status: Partial<EngineStatus>): () => unknown {
  const whole = {
    ready: true,
    activeSessions: 0,
    capacity: 2,
    capacityAlone: 2,
    free: 2,
    promise: 'kept',
    saving: 'none',
  } as EngineStatus;
  return () => new EnginePlaces({ status: () => ({ ...whole, ...status }) }, 'eu').take(ANYWHERE);
}

// Both said that every slot is taken: an operator looked for calls that were not there.
it.each([
  ['every session slot is taken', { activeSessions: 2, free: 0 }, /Every session slot is taken/],
  ['the machine is busy', { activeSessions: 1, free: 0 }, /The machine is busy/],
  // Of twelve places, other programs left two.
  ['other programs keep it busy', { activeSessions: 2, capacityAlone: 12, free: 0 }, /The machine is busy/],
])('refuses a session because %s', (_, status, text) => {
  expect(taking(status)).toThrow(text);
  // Clients compare it.
  expect(taking(status)).toThrow(expect.objectContaining({ status: 429, error: 'Concurrent session limit reached' }));
});

it('takes a session while a place is free', () => {
  expect(taking({ activeSessions: 1, free: 1 })).not.toThrow();
});

import { expect, it } from 'vitest';
import { clientOf } from '../testing/binding-request.ts';
import { ConsentRevocation } from './consent-revocation.ts';
import type { Generation } from './public-path.ts';
import { bindingSuccess, parseBindingRequest } from './stun.ts';

const client = clientOf('client');
const generation: Generation = { number: 1, credentials: { ufrag: 'ours', password: 'secret' }, client };

function open() {
  const events: string[] = [];
  const revocation = new ConsentRevocation({
    refused: () => events.push('refused'),
    reached: () => events.push('reached'),
  });
  /** The client answers the check that is due at this time. */
  const answer = (at: number): boolean => {
    const check = parseBindingRequest(revocation.check(generation, at)!)!;
    return revocation.answered(bindingSuccess(check, '192.0.2.7', 4_000, client.password));
  };
  return { revocation, events, answer };
}

it('sends no check of its own before the client was refused, and then one every 20 ms until it is answered, and every 100 ms afterwards', () => {
  const { revocation, events, answer } = open();
  expect(revocation.check(generation, 50)).toBeNull();
  expect(revocation.takes(true, 100)).toBe('refuse');
  const times = [100, 119, 120, 130, 140].filter((at) => revocation.check(generation, at) !== null);
  expect(times).toEqual([120, 140]);
  expect(answer(160)).toBe(true);
  // The connection that has answered may have been the refused one, which ends a moment later.
  const later = [180, 259, 260, 359, 360].filter((at) => revocation.check(generation, at) !== null);
  expect(later).toEqual([260, 360]);
  expect(answer(460)).toBe(true);
  expect(events).toEqual(['refused', 'reached']);
});

it('leaves the checks of a path without an answer that it has opened again, and refuses those of others', () => {
  const { revocation, events, answer } = open();
  revocation.takes(true, 0);
  expect(revocation.takes(true, 10)).toBe('refuse');
  answer(20);
  expect(revocation.takes(true, 500)).toBe('ignore');
  expect(revocation.takes(false, 500)).toBe('refuse');
  expect(events).toEqual(['refused', 'reached']);
});

it('goes on as before when a spare path is checked first, and refuses that path', () => {
  const { revocation, events } = open();
  expect(revocation.takes(false, 0)).toBe('refuse');
  expect(revocation.check(generation, 1_000)).toBeNull();
  expect(events).toEqual([]);
  expect(revocation.takes(true, 1_000)).toBe('refuse');
  expect(events).toEqual(['refused']);
});

import { expect, it } from 'vitest';
import { clientOf } from '../testing/binding-request.ts';
import { IceCredentialMaker } from './credential-maker.ts';
import { MAX_ADDRESSES, PublicPath, addressKey, type Address } from './public-path.ts';

const at = (port: number): Address => ({ protocol: 'udp', ip: '192.0.2.7', port, family: 4 });
const nominated = { nominates: true };
const checked = { nominates: false };
const maker = new IceCredentialMaker();
const renew = (path: PublicPath, client = 'client') => path.renew(maker.make(), clientOf(client));

it('sends nowhere before the client has chosen a pair', () => {
  const path = new PublicPath();
  const { current } = renew(path);
  expect(path.checked(current, checked, at(1))).toEqual({ forgotten: null, moved: false });
  expect(path.selected).toBeNull();
  expect(path.checked(current, nominated, at(2))).toEqual({ forgotten: null, moved: true });
  expect(path.selected).toEqual(at(2));
});

it('follows the client to another network, and is not pulled back by a late check from before a restart', () => {
  const path = new PublicPath();
  const first = renew(path).current;
  path.checked(first, nominated, at(1));
  const second = renew(path).current;
  expect(path.checked(second, nominated, at(2)).moved).toBe(true);
  expect(path.checked(first, nominated, at(1)).moved).toBe(false);
  expect(path.selected).toEqual(at(2));
});

/**
 * UDP was blocked, and Chromium restarted ICE over TCP. When UDP came back and TCP was blocked, it used its old UDP pair
 * again, which was answered, so it did not restart ICE. Our packets went on to the dead connection for a minute.
 */
it('follows the client back to a pair from before a restart when nothing comes from the new one any more', () => {
  const path = new PublicPath();
  const first = renew(path).current;
  path.checked(first, nominated, at(1));
  path.checked(renew(path).current, nominated, at(2));
  expect(path.checked(first, checked, at(1), true).moved).toBe(false);
  expect(path.checked(first, nominated, at(1), true).moved).toBe(true);
  expect(path.selected).toEqual(at(1));
});

it('answers checks with the credentials of the offer before, and knows two older ones as its own', () => {
  const path = new PublicPath();
  const renewed = Array.from({ length: 5 }, () => renew(path));
  const [first, second, third, fourth, fifth] = renewed.map(({ current }) => current);
  expect(renewed.map(({ forgotten }) => forgotten)).toEqual([null, null, null, null, first]);
  expect(path.generations).toEqual([second, third, fourth, fifth]);
  expect(path.generations.map((generation) => path.isValid(generation))).toEqual([false, false, true, true]);
});

it('forgets the longest unused address beyond the limit, never the one in use', () => {
  const path = new PublicPath();
  const { current } = renew(path);
  path.checked(current, nominated, at(1));
  for (let port = 2; port <= MAX_ADDRESSES; port++) path.checked(current, checked, at(port));
  expect(path.checked(current, checked, at(100)).forgotten).toBe(addressKey(at(2)));
  expect([...path.addresses]).toHaveLength(MAX_ADDRESSES);
  expect(path.selected).toEqual(at(1));
});

it('does not send to an address that was given to another client', () => {
  const path = new PublicPath();
  path.checked(renew(path).current, nominated, at(1));
  path.forget(addressKey(at(1)));
  expect(path.selected).toBeNull();
});

it('counts a check with the new credentials of either side as one of the current generation', () => {
  const path = new PublicPath();
  const first = renew(path, 'before').current;
  const second = renew(path, 'after').current;
  expect(path.generationOf(first, { remoteUfrag: 'before' })).toBe(first);
  expect(path.generationOf(first, { remoteUfrag: 'after' })).toBe(second);
  expect(path.generationOf(second, { remoteUfrag: 'after' })).toBe(second);
});

import { expect, it } from 'vitest';
import { clientOf } from '../testing/binding-request.ts';
import { MAX_ADDRESSES, PublicPath, addressKey, type Address } from './public-path.ts';

const at = (port: number): Address => ({ protocol: 'udp', ip: '192.0.2.7', port, family: 4 });
const nominated = { nominates: true };
const checked = { nominates: false };

it('sends nowhere before the client has chosen a pair', () => {
  const path = new PublicPath();
  const { current } = path.renew(clientOf('client'));
  expect(path.checked(current, checked, at(1))).toEqual({ forgotten: null, moved: false });
  expect(path.selected).toBeNull();
  expect(path.checked(current, nominated, at(2))).toEqual({ forgotten: null, moved: true });
  expect(path.selected).toEqual(at(2));
});

it('follows the client to another network, and is not pulled back by a late check from before a restart', () => {
  const path = new PublicPath();
  const first = path.renew(clientOf('client')).current;
  path.checked(first, nominated, at(1));
  const second = path.renew(clientOf('client')).current;
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
  const first = path.renew(clientOf('client')).current;
  path.checked(first, nominated, at(1));
  path.checked(path.renew(clientOf('client')).current, nominated, at(2));
  expect(path.checked(first, checked, at(1), true).moved).toBe(false);
  expect(path.checked(first, nominated, at(1), true).moved).toBe(true);
  expect(path.selected).toEqual(at(1));
});

it('keeps the credentials of the offer before, and no older ones', () => {
  const path = new PublicPath();
  const first = path.renew(clientOf('client'));
  expect(first.retired).toBeNull();
  expect(path.renew(clientOf('client')).retired).toBeNull();
  const third = path.renew(clientOf('client'));
  expect(third.retired).toEqual(first.current);
  expect(path.generations).toHaveLength(2);
  expect(new Set(path.generations.map((generation) => generation.credentials.password)).size).toBe(2);
});

it('forgets the longest unused address beyond the limit, never the one in use', () => {
  const path = new PublicPath();
  const { current } = path.renew(clientOf('client'));
  path.checked(current, nominated, at(1));
  for (let port = 2; port <= MAX_ADDRESSES; port++) path.checked(current, checked, at(port));
  expect(path.checked(current, checked, at(100)).forgotten).toBe(addressKey(at(2)));
  expect([...path.addresses]).toHaveLength(MAX_ADDRESSES);
  expect(path.selected).toEqual(at(1));
});

it('does not send to an address that was given to another client', () => {
  const path = new PublicPath();
  path.checked(path.renew(clientOf('client')).current, nominated, at(1));
  path.forget(addressKey(at(1)));
  expect(path.selected).toBeNull();
});

it('counts a check with the new credentials of either side as one of the current generation', () => {
  const path = new PublicPath();
  const first = path.renew(clientOf('before')).current;
  const second = path.renew(clientOf('after')).current;
  expect(path.generationOf(first, { remoteUfrag: 'before' })).toBe(first);
  expect(path.generationOf(first, { remoteUfrag: 'after' })).toBe(second);
  expect(path.generationOf(second, { remoteUfrag: 'after' })).toBe(second);
});

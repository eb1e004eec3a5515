import { expect, it } from 'vitest';
import { clientOf } from '../testing/binding-request.ts';
import { IceCredentialMaker } from './credential-maker.ts';
import { addressKey, type Address } from './address.ts';
import { MAX_ADDRESSES, PublicPath } from './public-path.ts';

const at = (port: number): Address => ({ protocol: 'udp', ip: '192.0.2.7', port, family: 4, local: '192.0.2.1' });
const nominated = { nominates: true, priority: 1 };
const checked = { nominates: false, priority: 1 };
const maker = new IceCredentialMaker();
const renew = (path: PublicPath, client = 'client') => path.renew(maker.make(), clientOf(client));

it('sends nowhere before the client has chosen a pair', () => {
  const path = new PublicPath();
  const { current } = renew(path);
  expect(path.checked(current, checked, at(1), 0)).toEqual({ forgotten: null, moved: false });
  expect(path.selected).toBeNull();
  expect(path.checked(current, nominated, at(2), 0)).toEqual({ forgotten: null, moved: true });
  expect(path.selected).toEqual(at(2));
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
  path.checked(current, nominated, at(1), 0);
  for (let port = 2; port <= MAX_ADDRESSES; port++) path.checked(current, checked, at(port), 0);
  expect(path.checked(current, checked, at(100), 0).forgotten).toBe(addressKey(at(2)));
  expect([...path.addresses]).toHaveLength(MAX_ADDRESSES);
  expect(path.selected).toEqual(at(1));
});

it('does not send to an address that was given to another client', () => {
  const path = new PublicPath();
  path.checked(renew(path).current, nominated, at(1), 0);
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

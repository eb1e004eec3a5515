import { expect, it } from 'vitest';
import { localAddresses } from './local-addresses.ts';

const OWN = ['127.0.0.1', '192.0.2.1', '198.51.100.2', '2001:db8::1', '::1'];
const bound = (...publicAddresses: string[]) => localAddresses({ publicAddresses }, OWN).map(({ ip }) => ip);

/** aioice had no media from a service on 0.0.0.0 of a host with two addresses: the other one answered. */
it('binds each address that clients are told, so that it answers itself', () => {
  expect(bound('192.0.2.1')).toEqual(['192.0.2.1']);
  expect(bound('192.0.2.1', '198.51.100.2', '127.0.0.1')).toEqual(['192.0.2.1', '198.51.100.2', '127.0.0.1']);
  expect(bound('::1', '127.0.0.2')).toEqual(['::1', '127.0.0.2']);
  expect(bound('2001:db8::1', '192.0.2.1')).toEqual(['2001:db8::1', '192.0.2.1']);
});

it('binds all addresses of a family once if a router translates one of them', () => {
  expect(bound('203.0.113.7')).toEqual(['0.0.0.0']);
  expect(bound('203.0.113.7', '192.0.2.1', '2001:db8::1')).toEqual(['0.0.0.0', '2001:db8::1']);
  expect(bound('2001:db8::7')).toEqual(['::']);
});

it('takes packets of this machine alone at the addresses that are only for it', () => {
  const addresses = localAddresses({ publicAddresses: ['127.0.0.1'], ownMachineAddresses: ['192.0.2.1'] }, OWN);
  expect(addresses.map(({ ip, senders }) => [ip, senders === null ? null : [...senders]])).toEqual([
    ['127.0.0.1', null],
    ['192.0.2.1', OWN],
  ]);
});

it.each([[[]], [['example.org']]])('refuses %j', (publicAddresses) => {
  expect(() => localAddresses({ publicAddresses }, OWN)).toThrow(/address/);
});

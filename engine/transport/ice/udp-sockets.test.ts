import { expect, it } from 'vitest';
import { bindAddresses } from './udp-sockets.ts';

it('binds one address a family', () => {
  expect(bindAddresses(['192.0.2.1'], undefined)).toEqual(['0.0.0.0']);
  expect(bindAddresses(['192.0.2.1', '198.51.100.2', '2001:db8::1'], undefined)).toEqual(['0.0.0.0', '::']);
  expect(bindAddresses(['2001:db8::1', '192.0.2.1'], '::')).toEqual(['::', '0.0.0.0']);
  expect(bindAddresses(['192.0.2.1'], '127.0.0.1')).toEqual(['127.0.0.1']);
});

it.each([
  [[], undefined],
  [['example.org'], undefined],
  [['192.0.2.1'], 'localhost'],
  [['192.0.2.1', '2001:db8::1'], '127.0.0.1'],
  [['2001:db8::1'], '127.0.0.1'],
])('refuses %j bound to %s', (addresses, bind) => {
  expect(() => bindAddresses(addresses, bind)).toThrow(/address/);
});

import { expect, it } from 'vitest';
import { localAddress, localAddressOf } from './local-address.ts';

/** The check of the image and the drain asked 127.0.0.1 even of a service that listens on one other address. */
it.each([
  [{}, 'http://127.0.0.1:8080'],
  [{ PORT: '', PARLEY_HOST: '' }, 'http://127.0.0.1:8080'],
  [{ PORT: '9000', PARLEY_HOST: '0.0.0.0' }, 'http://127.0.0.1:9000'],
  [{ PARLEY_HOST: '10.0.0.7' }, 'http://10.0.0.7:8080'],
  [{ PARLEY_HOST: '::' }, 'http://127.0.0.1:8080'],
  [{ PARLEY_HOST: 'fd00::7' }, 'http://[fd00::7]:8080'],
  [{ PARLEY_HOST: 'localhost' }, 'http://localhost:8080'],
])('a service with %j is reached at %s', (environment, url) => {
  expect(localAddress(environment)).toBe(url);
});

it('the address of a running service is in its own environment, if that can be read', () => {
  const own = { PORT: '7000' };
  const of = (its: Record<string, string> | null) => localAddressOf(1, own, () => its);
  expect(of({ PARLEY_HOST: '10.0.0.7', PORT: '9000' })).toBe('http://10.0.0.7:9000');
  expect(of({})).toBe('http://127.0.0.1:8080');
  expect(of(null)).toBe('http://127.0.0.1:7000');
  // Its port was a free one.
  expect(of({ PARLEY_HOST: '10.0.0.7', PORT: '0' })).toBe('http://10.0.0.7:7000');
});

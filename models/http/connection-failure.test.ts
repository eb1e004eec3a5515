import { expect, it } from 'vitest';
import { connectionFailure } from './connection-failure.ts';

const failed = (code: string, message: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

it.each([
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND vault.corp.example.com', 'its host name was not found'],
  ['ECONNREFUSED', 'connect ECONNREFUSED 10.1.2.3:443', 'the connection was refused'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Host: vault.corp is not in the cert', 'its certificate is not valid'],
  ['EWHATEVER', 'something at 10.1.2.3', 'the connection failed'],
])('%s is told without the names and addresses that came with it', (code, message, told) => {
  expect(connectionFailure(failed(code, message))).toBe(told);
});

it('is found in the errors that clients wrap around it', () => {
  expect(connectionFailure(new Error('outer', { cause: failed('ENOTFOUND', 'getaddrinfo ENOTFOUND x') }))).toBe(
    'its host name was not found',
  );
});

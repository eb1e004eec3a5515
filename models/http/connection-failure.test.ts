import { expect, it } from 'vitest';
import { connectionFailure } from './connection-failure.ts';

const failed = (code: string, message: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

it.each([
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND vault.corp.example.com', 'its host name was not found'],
  ['ECONNREFUSED', 'connect ECONNREFUSED 10.1.2.3:443', 'the connection was refused'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Host: vault.corp is not in the cert', 'its certificate is that of another host'],
  // "its certificate is not valid" was said of all of these, or only that the connection failed.
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'SSL routines', 'it does not speak TLS: its address may begin with http://'],
  ['CERT_HAS_EXPIRED', 'certificate has expired', 'its certificate has expired'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'unable to verify the first certificate',
    'its certificate is of no known authority, whose own certificate can be named in NODE_EXTRA_CA_CERTS',
  ],
  ['CERT_REVOKED', 'certificate revoked', 'its certificate is not valid'],
  ['EWHATEVER', 'something at 10.1.2.3', 'the connection failed'],
])('%s is told without the names and addresses that came with it', (code, message, told) => {
  expect(connectionFailure(failed(code, message))).toBe(told);
});

it('is found in the errors that clients wrap around it', () => {
  expect(connectionFailure(new Error('outer', { cause: failed('ENOTFOUND', 'getaddrinfo ENOTFOUND x') }))).toBe(
    'its host name was not found',
  );
});

it('says that somebody else answers', () => {
  const other = Object.assign(new Error('Response does not match the HTTP/1.1 protocol'), { name: 'HTTPParserError' });
  expect(connectionFailure(new TypeError('fetch failed', { cause: other }))).toBe(
    'what answers there does not speak HTTP',
  );
});

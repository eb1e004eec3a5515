import { expect, it } from 'vitest';
import { originList } from './origins.ts';

/** `127.0.0.1:8396` was stored as `https://`, and `*.example.com` as a site that no page is of: the widget was refused. */
it.each([
  ['example.com', 'https://example.com'],
  ['localhost:3000', 'http://localhost:3000'],
  ['192.168.1.5:8080', 'http://192.168.1.5:8080'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ['nas.local', 'http://nas.local'],
  ['host.docker.internal:5173', 'http://host.docker.internal:5173'],
  ['devbox:3000', 'http://devbox:3000'],
  [' example.com ', 'https://example.com'],
  ['capacitor://localhost', 'capacitor://localhost'],
  ['chrome-extension://abcdefgh', 'chrome-extension://abcdefgh'],
  ['HTTPS://Example.com:443/', 'https://example.com'],
])('%s is %s', (written, origin) => expect(originList.parse([written])).toEqual([origin]));

it.each([
  ['*.example.com', 'list each of them'],
  ['https://*', 'list each of them'],
  ['https://example.com/shop', 'without a path: https://example.com'],
  ['null', 'files and sandboxed frames'],
  ['file://', 'must be a domain or an origin'],
  ['ftp://example.com', 'must be a domain or an origin'],
])('%s is refused with what to do', (written, sentence) => {
  const { error } = originList.safeParse([written]);
  expect(error?.issues[0]?.message).toContain(sentence);
});

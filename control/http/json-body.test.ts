import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerErrors } from './error-handler.ts';
import { acceptJson } from './json-body.ts';
import { methodNotAllowed } from './method-not-allowed.ts';

const app = Fastify();
beforeAll(async () => {
  acceptJson(app);
  answerErrors(app);
  const otherMethods = methodNotAllowed(app);
  app.post('/things/:id/stop', async (request) => ({ got: request.body ?? 'nothing' }));
  otherMethods.add();
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => app.close());

/** Sends exactly these lines. @returns the whole answer. */
async function send(lines: readonly string[], body = '', method = 'POST', path = '/things/1/stop'): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  socket.end([`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, '', body].join('\r\n'));
  await once(socket, 'close');
  return heard;
}

const OCTETS = 'Content-Type: application/octet-stream';

// The hosted service's Python SDK and every other program on aiohttp got 400 from each route that takes no body.
describe('a body of another type than JSON', () => {
  it.each([
    ['of a length of 0', [OCTETS, 'Content-Length: 0'], ''],
    ['without a length', [OCTETS], ''],
    ['in chunks, of which the first is the last', [OCTETS, 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ])('is no body when it is empty: %s', async (_name, lines, body) => {
    const answer = await send(lines, body);
    expect(answer).toContain('200 OK');
    expect(answer).toContain('{"got":"nothing"}');
  });

  it.each([
    ['of a known length', [OCTETS, 'Content-Length: 2'], '{}'],
    ['in chunks', [OCTETS, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'],
    ['without a type', ['Content-Length: 2'], '{}'],
  ])('is refused when there is something in it: %s', async (_name, lines, body) => {
    const answer = await send(lines, body);
    expect(answer).toContain('400 Bad Request');
    expect(answer).toContain('is not accepted here');
  });

  it('does not hide that there is no such route', async () => {
    expect(await send([OCTETS, 'Content-Length: 2'], '{}', 'POST', '/nothing')).toContain('404 Not Found');
  });
});

it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'TRACE'])('%s of an address that is for POST answers 405', async (method) => {
  const answer = await send([], '', method);
  expect(answer).toContain('405 Method Not Allowed');
  expect(answer.toLowerCase()).toContain('allow: post');
});

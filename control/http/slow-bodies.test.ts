import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpError } from '../errors/http-error.ts';
import { answerBrokenConnection, answerErrors } from './error-handler.ts';
import { endSlowBodies } from './slow-bodies.ts';

const SIZE = 200_000;

describe('a body that comes slowly', () => {
  let app: FastifyInstance;
  /** A window is over. */
  let look: () => void;
  let received = 0;
  const clients: Socket[] = [];

  beforeEach(async () => {
    received = 0;
    app = Fastify({ bodyLimit: SIZE, clientErrorHandler: answerBrokenConnection }) as unknown as FastifyInstance;
    answerErrors(app);
    endSlowBodies(app, (callback) => {
      look = callback;
      return () => {};
    });
    app.server.on('connection', (socket) => socket.on('data', (bytes) => (received += bytes.length)));
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.post('/documents', async (request) => ({ bytes: (request.body as Buffer).length }));
    app.post('/private', { onRequest: async () => Promise.reject(new HttpError('missingKey')) }, async () => ({}));
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await app.close();
  });

  async function open(path: string) {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(socket);
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (answer += text));
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: text/plain\r\nContent-Length: ${SIZE}\r\n\r\n`);
    return {
      answer: () => answer,
      closed: () => socket.closed,
      /** Resolves when the service has read it. */
      async send(bytes: number) {
        const before = received;
        socket.write('x'.repeat(bytes));
        await expect.poll(() => received - before).toBeGreaterThanOrEqual(bytes);
      },
    };
  }

  it('is given up and answered, when it trickles', async () => {
    const client = await open('/documents');
    await client.send(10);
    look();
    await client.send(10);
    look();
    await expect.poll(client.closed).toBe(true);
    expect(client.answer()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(client.answer()).toContain('"error":"Request timeout"');
  });

  it('is taken however long it lasts, as long as it comes', async () => {
    const client = await open('/documents');
    for (let sent = 0; sent < SIZE; sent += 20_000) {
      await client.send(20_000);
      look();
    }
    await expect.poll(client.answer).toContain(`{"bytes":${SIZE}}`);
    look();
    look();
    expect(client.closed()).toBe(false);
  });

  it('is nobody’s fault where there is no connection', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/private',
      headers: { 'content-type': 'text/plain' },
      payload: 'x'.repeat(100),
    });
    look();
    look();
    expect(answer.statusCode).toBe(401);
  });

  it('after an answer that did not wait for it ends without a second answer', async () => {
    const client = await open('/private');
    await expect.poll(client.answer).toContain('401');
    look();
    look();
    await expect.poll(client.closed).toBe(true);
    expect(client.answer()).not.toContain('408');
  });
});

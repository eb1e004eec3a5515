import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { answerErrors } from './error-handler.ts';

// Node tells both by the same code, ECONNRESET: the log told of outages of the database that had never been.
it('a client that goes away in the middle of its body is no database that is away', async () => {
  const logged: string[] = [];
  const app = Fastify({ logger: { level: 'debug', stream: { write: (line: string) => void logged.push(line) } } });
  answerErrors(app);
  const errors: Error[] = [];
  app.addHook('onError', async (_request, _reply, error) => void errors.push(error));
  app.post('/', () => 'taken');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const arrived = once(app.server, 'request');
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"a":1');
  await arrived;
  socket.destroy();
  await expect.poll(() => errors.length).toBe(1);
  await app.close();
  expect(logged.join('\n')).not.toContain('Database');
});

import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { fetchThrough, outgoingAgent } from './outgoing.ts';

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return (server.address() as AddressInfo).port;
}

async function setUp() {
  const bodies: string[] = [];
  const service = await listening(
    createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      bodies.push(`${request.headers['content-type']?.split(';')[0]} ${body.includes('hello')}`);
      response.end('arrived');
    }),
  );
  const tunnels: string[] = [];
  const proxy = createServer((_request, response) => response.writeHead(500).end());
  proxy.on('connect', (request: IncomingMessage, socket, head) => {
    tunnels.push(request.url ?? '');
    const target = connect(service, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  const url = `http://127.0.0.1:${await listening(proxy)}`;
  return { bodies, service, tunnels, proxy: url };
}

/** Only one service of six asked the proxy, although the sentence about a failure told people to look at it. */
it('goes through the proxy of the environment, but not to hosts of NO_PROXY', async () => {
  const { bodies, service, tunnels, proxy } = await setUp();
  const env = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1' };
  const dispatcher = outgoingAgent({}, env);
  closing.push(() => void dispatcher.destroy());
  const send = fetchThrough(dispatcher);
  expect(await (await send('http://llm.example.com/v1', { method: 'POST', body: 'hello' })).text()).toBe('arrived');
  expect(tunnels).toEqual(['llm.example.com:80']);
  await (await send(`http://127.0.0.1:${service}/v1`, { method: 'POST', body: 'hello' })).text();
  expect(tunnels).toHaveLength(1);
  expect(bodies).toHaveLength(2);
});

it('sends a form as a form', async () => {
  const { bodies, service } = await setUp();
  const dispatcher = outgoingAgent({}, {});
  closing.push(() => void dispatcher.destroy());
  const body = new FormData();
  body.set('file', new Blob(['hello']), 'a.wav');
  await (await fetchThrough(dispatcher)(`http://127.0.0.1:${service}/`, { method: 'POST', body })).text();
  expect(bodies).toEqual(['multipart/form-data true']);
});

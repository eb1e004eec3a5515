import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemTimers } from '../../runtime/clock.ts';
import { NodeClient } from './node-client.ts';

/** Notes the targets of requests and answers them. */
interface NotingServer {
  readonly url: string;
  readonly targets: string[];
  readonly server: Server;
}

async function noting(): Promise<NotingServer> {
  const targets: string[] = [];
  const server = createServer((request, response) => {
    targets.push(request.url ?? '');
    request.resume().once('end', () => response.end('here'));
  });
  server.on('upgrade', (request, socket) => {
    targets.push(request.url ?? '');
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, targets, server };
}

const FORGED = 'http://127.0.0.1:1 forged';

let node: NotingServer;
let other: NotingServer;
let client: NodeClient;
beforeEach(async () => {
  [node, other] = await Promise.all([noting(), noting()]);
  client = new NodeClient(systemTimers, { read: (address) => (address === FORGED ? null : address) });
});
afterEach(() => {
  client.close();
  for (const { server } of [node, other]) {
    server.closeAllConnections();
    server.close();
  }
});

// A request target may be a whole address (RFC 9112, 3.2.2) or begin with two slashes. The target was resolved against
// the node's URL: the request, with the signature of this cluster, went to the host that the client had named.
it.each([
  ['a whole address', (url: string) => `${url}/talk?session_id=1`],
  ['an address without its scheme', (url: string) => `${url.replace('http:', '')}/ws?session_id=1`],
])('a request whose target is %s goes to the node', async (_form, targetAt) => {
  const path = targetAt(other.url);
  const answer = await client.send({ url: node.url, method: 'GET', path, headers: {} });
  expect(answer.body.toString()).toBe('here');
  await client.upgrade({ url: node.url, method: 'GET', path, headers: { upgrade: 'websocket' } });
  expect(node.targets).toEqual([path, path]);
  expect(other.targets).toEqual([]);
});

// Each request of a connection left a listener on it until the connection was closed.
it('requests whose bodies are forwarded leave nothing on the connection of the client', async () => {
  const sockets = new Set<IncomingMessage['socket']>();
  const front = createServer((request, response) => {
    sockets.add(request.socket);
    void client
      .stream({ url: node.url, method: 'POST', path: '/v1/knowledge', headers: {} }, request)
      .then((answer) => answer.pipe(response));
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (): Promise<number> => {
    const [response] = (await once(
      get({ port: (front.address() as AddressInfo).port, host: '127.0.0.1', agent }),
      'response',
    )) as [IncomingMessage];
    await once(response.resume(), 'end');
    return [...sockets][0]!.listenerCount('close');
  };
  const before = await ask();
  for (let request = 0; request < 5; request++) expect(await ask()).toBe(before);
  expect(sockets.size).toBe(1);
  agent.destroy();
  front.close();
});

/** A forged row of an engine in Redis got the starts of sessions, with the API keys of their clients. */
it('an address that no node has signed gets nothing', async () => {
  const request = { url: FORGED, method: 'POST', path: '/v1/engine/session', headers: { authorization: 'Bearer key' } };
  await expect(client.send(request)).rejects.toThrow('signed by no node');
  expect(await client.probe(FORGED, 100)).toBe('silent');
});

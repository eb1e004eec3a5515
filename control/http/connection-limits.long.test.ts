import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startTestService, type TestService } from '../testing/service.ts';
import { describeOnSqlite } from '../testing/stores.ts';

describeOnSqlite('connections', (stores) => {
  let service: TestService | undefined;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await service?.close();
  });

  const listen = async (settings: Record<string, string>): Promise<void> => {
    service = await startTestService(await stores.open(), { settings });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
  };
  const open = async (from: string): Promise<Socket> => {
    const socket = connect({
      port: (service!.app.server.address() as AddressInfo).port,
      host: '127.0.0.1',
      localAddress: from,
    });
    sockets.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const served = async (from: string): Promise<boolean> => {
    const socket = await open(from);
    socket.write('GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    await once(socket, 'close');
    return answer.startsWith('HTTP/1.1 200');
  };
  const stillOpen = (): number => sockets.filter((socket) => !socket.closed).length;

  it('of one address are at most half, so that another address is served', async () => {
    await listen({ PARLEY_MAX_CONNECTIONS: '10' });
    for (let i = 0; i < 12; i += 1) await open('127.0.0.2');
    await expect.poll(stillOpen).toBe(5);
    expect(await served('127.0.0.3')).toBe(true);
    expect(service!.logged.filter((line) => line.includes('connections were refused'))).toHaveLength(1);
  });

  it('that end make room for others of their address', async () => {
    await listen({ PARLEY_MAX_CONNECTIONS: '2' });
    const first = await open('127.0.0.2');
    first.destroy();
    await expect.poll(() => served('127.0.0.2')).toBe(true);
  });

  it('behind a trusted proxy are only limited all together', async () => {
    await listen({ PARLEY_MAX_CONNECTIONS: '10', PARLEY_TRUST_PROXY: 'true' });
    for (let i = 0; i < 12; i += 1) await open('127.0.0.2');
    await expect.poll(stillOpen).toBe(10);
  });

  it('have a time for the head of a request, and requests one for all of it', async () => {
    await listen({});
    const { headersTimeout, requestTimeout, timeout, maxConnections } = service!.app.server;
    for (const limit of [headersTimeout, requestTimeout, timeout, maxConnections]) expect(limit).toBeGreaterThan(0);
  });

  it('that speak no HTTP are told so in the form of every other refusal', async () => {
    await listen({});
    const socket = await open('127.0.0.1');
    socket.write('\u0001\u0002 nonsense\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\n[^]*{"error":"Bad request","message":"This is not HTTP\."}$/,
    );
  });
});

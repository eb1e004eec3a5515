import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createSocket } from 'node:dgram';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../control/index.ts';
import { startProblem } from './start-problem.ts';

/** Errors as the system makes them, not as somebody imagined them. */
async function systemError(cause: () => unknown): Promise<unknown> {
  try {
    await cause();
  } catch (error) {
    return error;
  }
  throw new Error('nothing went wrong');
}

const listening = async (): Promise<Server> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

describe('what to do about a failed start', () => {
  it('names the port in use and the setting', async () => {
    const server = await listening();
    const { port } = server.address() as AddressInfo;
    const error = await systemError(() => once(createServer().listen(port, '127.0.0.1'), 'listening'));
    server.close();
    expect(startProblem(error, readSettings({ PORT: String(port) }))).toContain(`TCP port ${port} is in use`);
  });

  it('tells the UDP port from the TCP port', async () => {
    const first = createSocket('udp4').bind(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address();
    const second = createSocket('udp4').bind(port, '127.0.0.1');
    const error = await systemError(() => once(second, 'listening'));
    first.close();
    expect(startProblem(error, readSettings({ PARLEY_UDP_PORT: String(port) }))).toContain(
      `PARLEY_UDP_PORT=${port + 10}`,
    );
  });

  it('tells the TCP port for media from the one for HTTP', async () => {
    const server = await listening();
    const { port } = server.address() as AddressInfo;
    const error = await systemError(() => once(createServer().listen(port, '127.0.0.1'), 'listening'));
    server.close();
    expect(startProblem(error, readSettings({ PARLEY_ICE_TCP_PORT: String(port) }))).toContain(
      `PARLEY_ICE_TCP_PORT=${port + 10}`,
    );
  });

  it('names an address that the machine does not have', async () => {
    const error = await systemError(() => once(createServer().listen(0, '192.0.2.1'), 'listening'));
    expect(startProblem(error, readSettings({ PARLEY_HOST: '192.0.2.1' }))).toBe(
      'PARLEY_HOST: this machine has no address 192.0.2.1.',
    );
  });

  it('says that the database does not answer, also when the error is wrapped', async () => {
    const server = await listening();
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    const cause = await systemError(() => once(connect(port, '127.0.0.1'), 'connect'));
    const settings = readSettings({ DATABASE_URL: `postgres://127.0.0.1:${port}/parley` });
    expect(startProblem(new Error('The schema', { cause }), settings)).toMatch(
      /^DATABASE_URL: the database does not answer/,
    );
  });

  it('says that the data folder cannot be used', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'parley-start-'));
    await writeFile(join(dir, 'file'), '');
    const error = await systemError(() => mkdir(join(dir, 'file', 'data'), { recursive: true }));
    await rm(dir, { recursive: true });
    expect(startProblem(error, readSettings({ PARLEY_DATA_DIR: './data' }))).toMatch(
      /^PARLEY_DATA_DIR: the folder .\/data cannot be used/,
    );
  });

  it('leaves what it does not know to the stack', () => {
    expect(startProblem(new TypeError('x is not a function'), readSettings({}))).toBeNull();
    expect(startProblem('a string', readSettings({}))).toBeNull();
  });
});

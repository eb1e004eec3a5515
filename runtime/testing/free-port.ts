import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { platform } from 'node:os';

/**
 * Below the ports that the system hands out by itself (Linux: 32,768 and above). So nobody is given a port between the
 * moment when it is found free and the moment when a program of the test listens on it.
 */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

/** What keeps each port for this process. */
const given = new Map<number, Server | null>();

/**
 * @returns a TCP port of the loopback interface that nobody listens on, for a program that a test starts. Each port is
 * given once while this process lives, also to those who run tests beside it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (given.has(port)) continue;
    // The others find it free until the program listens.
    const kept = platform() === 'linux' ? await listening(createServer().listen(`\0parley-test-port-${port}`)) : null;
    if (kept === 'taken') continue;
    const probe = await listening(createServer().listen(port, '127.0.0.1'));
    if (probe === 'taken') {
      kept?.close();
      continue;
    }
    given.set(port, kept);
    kept?.unref();
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

const listening = (server: Server): Promise<Server | 'taken'> =>
  once(server, 'listening').then(
    () => server,
    () => 'taken' as const,
  );

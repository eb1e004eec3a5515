import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system hands out by itself (Linux: 32,768 and above). So nobody is given a port between the
 * moment when it is found free and the moment when a program of the test listens on it.
 */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

const given = new Set<number>();

/**
 * @returns a TCP port of the loopback interface that nobody listens on, for a program that a test starts. This process
 * is given each port once.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (given.has(port)) continue;
    const probe = createServer().listen(port, '127.0.0.1');
    // Taken: another one.
    if (!(await once(probe, 'listening').catch(() => false))) continue;
    given.add(port);
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

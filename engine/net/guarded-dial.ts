import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as secure } from 'node:tls';
import { guardedConnect } from './guarded-connect.ts';
import type { PrivateHosts } from './private-hosts.ts';
import { portOf } from './public-url.ts';

/** A connection for a WebSocket: TCP, or TLS for `wss:`. @throws as `guardedConnect`. */
export async function guardedDial(url: URL, allowed: PrivateHosts): Promise<Duplex> {
  const socket = await guardedConnect(url.hostname, portOf(url), allowed);
  socket.setNoDelay(true);
  // Whoever uses it hears of it, too; between two of them nobody would, and that would end the process.
  socket.on('error', () => {});
  if (url.protocol !== 'wss:' && url.protocol !== 'https:') return socket;
  return secure({
    socket,
    ...(isIP(url.hostname) === 0 && { servername: url.hostname }),
    ALPNProtocols: ['http/1.1'],
  });
}

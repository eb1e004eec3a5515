import type { Server } from 'node:http';
import type { Logger } from '../../runtime/log.ts';
import { clientAddress } from './client-address.ts';

/**
 * The time for a connection to send the head of a request (about a kilobyte), from its first byte or from its opening.
 */
export const HEADERS_TIMEOUT_MS = 20_000;
/**
 * If nothing moves on a plain HTTP connection for this long, its client does not read. No route is silent for half of
 * this time.
 */
export const STALLED_CONNECTION_MS = 600_000;
/** How often connections are checked against the limits on headers and requests. */
export const CONNECTION_CHECKS_MS = 5_000;
/** How often it is logged that connections were refused. */
const LOG_EVERY_MS = 60_000;

export interface ConnectionLimits {
  /** TCP connections at the same time, including WebSockets. */
  readonly most: number;
  /** How many of these may come from one address; null behind a proxy, through which all clients come. */
  readonly perAddress: number | null;
}

/** A connection over a limit is closed at once: its client sees the end, and other connections continue. */
export function limitConnections(server: Server, { most, perAddress }: ConnectionLimits, log: Logger): void {
  const open = new Map<string, number>();
  let refused = 0;
  let nextLogAt = 0;
  const noteRefusal = (): void => {
    refused += 1;
    if (performance.now() < nextLogAt) return;
    nextLogAt = performance.now() + LOG_EVERY_MS;
    log.warn(
      { refused, most, perAddress },
      'connections were refused: there are too many at the same time (PARLEY_MAX_CONNECTIONS)',
    );
  };

  server.maxConnections = most;
  server.on('drop', noteRefusal);
  if (perAddress === null) return;
  server.on('connection', (socket) => {
    const address = clientAddress({ ip: socket.remoteAddress ?? '' });
    const others = open.get(address) ?? 0;
    if (others >= perAddress) {
      noteRefusal();
      socket.destroy();
      return;
    }
    open.set(address, others + 1);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

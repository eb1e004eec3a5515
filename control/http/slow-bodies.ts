import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * In each window of this length, a body must bring at least this many bytes: 4 kbit/s, a tenth of the slowest network
 * that people use.
 */
const WINDOW_MS = 30_000;
const MIN_BYTES = 16_384;
/**
 * And no request takes longer than this, however steadily it comes: 50 MB, the largest document, at 128 kbit/s. The
 * server itself watches over this one, so it also ends what is sent after an answer and never read.
 */
export const MAX_REQUEST_MS = 3_600_000;

interface ArrivingBody {
  readonly reply: FastifyReply;
  /** How many bytes the connection had brought at the last check; null before the first one. */
  bytes: number | null;
}

/**
 * Ends requests whose bodies arrive too slowly: each holds a connection and the data so far. A limit on the whole time
 * alone would cut off large documents on slow networks. So a body may take long as long as it keeps arriving.
 * @param everyWindow calls back once in each window, until its return value is called.
 */
export function endSlowBodies(app: FastifyInstance, everyWindow: (look: () => void) => () => void = repeat): void {
  const arriving = new Map<IncomingMessage, ArrivingBody>();
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    // A request that a test injects has no connection that could be slow.
    if (raw.socket instanceof Socket && hasBody(raw)) {
      arriving.set(raw, { reply, bytes: null });
      raw.once('close', () => arriving.delete(raw));
    }
    done();
  });
  const stop = everyWindow(() => {
    for (const [raw, body] of arriving) {
      const bytes = raw.socket.bytesRead;
      if (raw.complete) arriving.delete(raw);
      else if (body.bytes === null || bytes - body.bytes >= MIN_BYTES) body.bytes = bytes;
      else end(app, raw, body.reply);
    }
  });
  app.addHook('onClose', async () => stop());
}

function repeat(look: () => void): () => void {
  const timer = setInterval(look, WINDOW_MS).unref();
  return () => clearInterval(timer);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function end(app: FastifyInstance, raw: IncomingMessage, reply: FastifyReply): void {
  // Answered like heads that arrive too slowly, which the server answers itself. A request with an answer gets no
  // second one.
  if (reply.raw.headersSent) raw.socket.destroy();
  else
    app.server.emit(
      'clientError',
      Object.assign(new Error('The body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      raw.socket,
    );
}

import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** In every such time a body must bring at least so many bytes: 4 kbit/s, a tenth of what the slowest network carries that people use. */
const WINDOW_MS = 30_000;
const LEAST_BYTES = 16_384;
/**
 * And no request takes longer than this, however steadily it comes: 50 MB, the largest document, at 128 kbit/s. The
 * server itself watches over this one, so it also ends what is sent after an answer and never read.
 */
export const LONGEST_REQUEST_MS = 3_600_000;

interface ArrivingBody {
  readonly reply: FastifyReply;
  /** What the connection had brought at the last look; null before the first one. */
  bytes: number | null;
}

/**
 * Ends requests whose body trickles: each holds a connection and what came of it. A limit on the whole time alone would
 * cut off large documents on slow networks, so a body may take long as long as it comes.
 * @param everyWindow calls back once in each window until what it returns is called.
 */
export function endSlowBodies(app: FastifyInstance, everyWindow: (look: () => void) => () => void = repeat): void {
  const arriving = new Map<IncomingMessage, ArrivingBody>();
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    // A request that a test puts in has no connection that could be slow.
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
      else if (body.bytes === null || bytes - body.bytes >= LEAST_BYTES) body.bytes = bytes;
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
  // Answered as the server itself answers heads that come too slowly. Who has an answer already gets no second one.
  if (reply.raw.headersSent) raw.socket.destroy();
  else
    app.server.emit(
      'clientError',
      Object.assign(new Error('The body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      raw.socket,
    );
}

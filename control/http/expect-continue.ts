import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * A client that sends `Expect: 100-continue` asks before it sends a body: curl does it with everything above 1 MB. It is
 * told to go on only when key, scope and whatever else a route checks first are right. A refused request is answered
 * without its body. By default, Node.js lets everybody send.
 */
export function continueWhenAllowed(app: FastifyInstance): void {
  const waiting = new WeakSet<IncomingMessage>();
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    app.routing(request, response);
  });
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (waiting.delete(request.raw)) reply.raw.writeContinue();
    done();
  });
}

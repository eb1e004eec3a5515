import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { looksLikeJwt } from '../../access/session-tokens.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { App } from '../../http/app.ts';
import { emptyAnswer, errorAnswers } from '../../http/schemas.ts';

const PATH = /^\/v1\/realtime\/?$/;
/** How pages give their key, which cannot set headers. */
const KEY_PROTOCOL = /(?:^|[, ])openai-insecure-api-key\.([^,\s]+)/;
/** What a proxy before the service has said of the client. */
const FORWARDED_HEADERS = [
  'origin',
  'host',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'user-agent',
] as const;

interface Offer {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Clients of OpenAI's Realtime interface talk to a persona as to a model: `wss://…/v1/realtime?model=PERSONA`. */
export function realtimeRoutes(app: App): void {
  app.get(
    '/v1/realtime',
    {
      config: { access: 'open' },
      schema: {
        summary: 'Talk as with a Realtime model (WebSocket)',
        description:
          'A WebSocket that speaks the Realtime interface of OpenAI. `model` is the id of a persona, and the key ' +
          'an API key of Parley with the scope `session-tokens`, or a session token.',
        querystring: z.object({
          model: z.string().max(128).optional().describe('Id of the persona. Not needed with a session token.'),
        }),
        response: { 101: emptyAnswer, ...errorAnswers(400, 426) },
      },
    },
    async () => {
      throw new HttpError('upgradeRequired', { headers: { upgrade: 'websocket' } });
    },
  );
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = URL.parse(request.url ?? '', 'http://realtime');
    // With a session id it is one that was started before.
    if (url === null || !PATH.test(url.pathname) || url.searchParams.has('session_id')) return;
    socket.on('error', () => socket.destroy());
    void start(app, { request, socket, head }, url.searchParams.get('model'));
  });
}

/** Starts a session as every client does, with all its checks and limits, and goes there. Never rejects. */
async function start(app: App, { request, socket, head }: Offer, model: string | null): Promise<void> {
  const key = keyOf(request);
  const byToken = key !== null && looksLikeJwt(key);
  const persona = byToken ? {} : { personaConfig: { personaId: model ?? '' } };
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/engine/session',
    remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
    headers: { ...forwardedHeaders(request), ...(key !== null && { authorization: `Bearer ${key}` }) },
    payload: { ...persona, environment: { realtime: true } },
  });
  if (socket.destroyed) return;
  const body = answer.json<{ readonly sessionId?: string; readonly message?: string; readonly code?: string }>();
  if (answer.statusCode !== 200 || body.sessionId === undefined)
    return refuse(socket, answer.statusCode, body.message ?? 'The session could not be started.', body.code);
  request.url = `/v1/realtime?session_id=${body.sessionId}`;
  app.server.emit('upgrade', request, socket, head);
}

function keyOf({ headers }: IncomingMessage): string | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return bearer ?? KEY_PROTOCOL.exec(headers['sec-websocket-protocol'] ?? '')?.[1] ?? null;
}

function forwardedHeaders({ headers }: IncomingMessage): Record<string, string> {
  const given = FORWARDED_HEADERS.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(
    given.filter((entry): entry is [(typeof FORWARDED_HEADERS)[number], string] => typeof entry[1] === 'string'),
  );
}

/** In the form of the interface. */
function refuse(socket: Duplex, status: number, message: string, code = 'invalid_request'): void {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  const body = JSON.stringify({ error: { type, code, message } });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

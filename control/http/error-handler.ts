import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorName, HttpError, type Refusal } from '../errors/http-error.ts';
import { BlobsUnavailableError } from '../store/s3/blobs-unavailable-error.ts';
import { isDatabaseUnavailable, isStorageFull, isThreadEnded } from '../store/storage-errors.ts';
import { JSON_BODY_LIMIT } from './json-body.ts';

/** Another thread opens the database within a second, unless it dies repeatedly. */
const INTERRUPTED_SECONDS = 1;
/** A restart of PostgreSQL takes seconds. */
const DATABASE_SECONDS = 5;
/** Longer outages of a bucket are rare. */
const FILES_SECONDS = 10;
/** Nobody clears a disk sooner. */
const RETRY_AFTER_SECONDS = 60;

/** Turns every error into a JSON document of the contract's shape. It contains nothing internal. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendError(
      new HttpError('notFound', {
        message: `There is no ${request.method} ${request.url.split('?')[0]!.slice(0, 200)}.`,
      }),
      request,
      reply,
    ),
  );
}

/** @param internal the refusal for an error that nobody expected. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  internal: ErrorName | Refusal = 'internal',
): FastifyReply {
  const known = asHttpError(error, internal, request);
  if (!(error instanceof HttpError)) logFailure(error, known, request);
  return reply
    .status(known.status)
    .headers(known.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(known.body()));
}

/** While the database is away, every request fails for the same reason, and where it did says nothing. */
function logFailure(error: unknown, { status, error: answer }: HttpError, { log }: FastifyRequest): void {
  if (status === 503) log.warn({ answer, problem: problemOf(error) }, 'request failed');
  else if (status >= 500) log.error({ err: error }, 'request failed');
}

function problemOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}

/** Answers input that never became a request: not HTTP, a head that is too large, or one that arrives too slowly. */
export function answerBrokenConnection(
  error: Error & { code?: string },
  socket: Pick<Socket, 'destroyed' | 'writable' | 'end' | 'destroy' | 'destroySoon'>,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const known = new HttpError(
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'tooSlow'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? 'headTooLarge'
        : 'brokenRequest',
  );
  const body = JSON.stringify(known.body());
  if (socket.writable) {
    socket.end(
      `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  // The sender may continue to send: the connection ends once the answer was sent.
  socket.destroySoon();
}

export function databaseUnavailable(): HttpError {
  return new HttpError('databaseUnavailable', { headers: { 'retry-after': String(DATABASE_SECONDS) } });
}

function asHttpError(error: unknown, internal: ErrorName | Refusal, request: FastifyRequest): HttpError {
  if (error instanceof HttpError) return error;
  const { statusCode, code } = error as Partial<FastifyError>;
  if (isStorageFull(error))
    return new HttpError('storageFull', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  if (error instanceof BlobsUnavailableError)
    return new HttpError('filesAway', { headers: { 'retry-after': String(FILES_SECONDS) } });
  if (isThreadEnded(error))
    return new HttpError('storageInterrupted', { headers: { 'retry-after': String(INTERRUPTED_SECONDS) } });
  if (statusCode === 413) return new HttpError('payloadTooLarge', { message: largestOf(request) });
  if (statusCode === 404) return new HttpError('notFound');
  if (statusCode === 416) return new HttpError('badRange');
  if (statusCode === 429) return new HttpError('tooManyRequests');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new HttpError('invalidBody', { message: contentTypeText(request) });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new HttpError('invalidBody', { message: (error as Error).message });
  // A client that goes away in the middle of its body looks like a lost connection to the database.
  if (isDatabaseUnavailable(error) && !request.raw.readableAborted) return databaseUnavailable();
  return new HttpError(internal);
}

/** What curl sends unless it is told otherwise is the likeliest mistake: the answer names the header to send. */
function contentTypeText(request: FastifyRequest): string {
  const sent = (request.headers['content-type'] ?? '').slice(0, 100);
  return `The content type "${sent}" is not accepted here. For JSON, send the header "Content-Type: application/json".`;
}

function largestOf({ routeOptions }: FastifyRequest): string {
  return `The request is larger than this route accepts: at most ${byteText(routeOptions.bodyLimit ?? JSON_BODY_LIMIT)}.`;
}

function byteText(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return mebibytes >= 1 ? `${Math.floor(mebibytes)} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}

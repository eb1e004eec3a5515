import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';
import type { FoundBlob } from '../store/blobs.ts';

/**
 * Sends a blob, or the part that the request asks for, without holding it in memory. Type and caching are those of the
 * reply. Needs the plugin for static files. @throws HttpError 404, 416.
 */
export async function sendBlob(request: FastifyRequest, reply: FastifyReply, found: FoundBlob): Promise<FastifyReply> {
  if (found.at === 'disk') {
    reply.raw.once('close', () => void found.release());
    return reply.sendFile(basename(found.path), dirname(found.path), { cacheControl: false, contentType: false });
  }
  void reply.header('accept-ranges', 'bytes');
  if (request.method === 'HEAD') return reply.header('content-length', found.bytes).send(Readable.from([]));
  const part = await found.read(request.headers.range ?? null);
  if (part === null) throw new HttpError('notFound');
  if (part.status === 416) throw new HttpError('badRange', { headers: { 'content-range': `bytes */${found.bytes}` } });
  if (part.range !== null) void reply.header('content-range', part.range);
  return reply.status(part.status).header('content-length', part.bytes).send(part.body);
}

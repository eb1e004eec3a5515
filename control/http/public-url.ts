import type { FastifyRequest } from 'fastify';
import type { Settings } from '../settings/settings.ts';

/** Host names and ports as they may stand in a Host header. */
const HOST = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]{1,253})(:\d{1,5})?$/;

export interface PublicUrlParts {
  readonly settings: Pick<Settings, 'PARLEY_HOST' | 'PARLEY_PUBLIC_URL' | 'PORT'>;
}

/** @returns the address under which this client reached the service, without a trailing slash. */
export function publicUrl({ settings }: PublicUrlParts, request: FastifyRequest): string {
  const { forwarded } = request;
  if (forwarded?.client !== undefined) return forwarded.client.baseUrl;
  if (settings.PARLEY_PUBLIC_URL !== undefined) return settings.PARLEY_PUBLIC_URL;
  const host = HOST.test(request.host ?? '') ? request.host : `${settings.PARLEY_HOST}:${settings.PORT}`;
  return `${request.protocol}://${host}`;
}

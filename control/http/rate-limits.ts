import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors.ts';
import type { Settings } from '../settings.ts';

export type Limit = (request: FastifyRequest) => Promise<void>;

export interface RateLimits {
  /** For routes without a key: by client address. */
  readonly publicRoute: Limit;
}

/** Limits per API key on all routes that need one, when the settings say so, and per address on those that need none. */
export async function limitRates(app: FastifyInstance, settings: Settings): Promise<RateLimits> {
  await app.register(rateLimit, { global: false });
  const check = (max: number, keyOf: (request: FastifyRequest) => string): Limit => {
    const take = app.createRateLimit({ max, timeWindow: 60_000, keyGenerator: keyOf });
    return async (request) => {
      const taken = await take(request);
      if (taken.isAllowed || !taken.isExceeded) return;
      throw new HttpError('tooManyRequests', { headers: { 'retry-after': String(taken.ttlInSeconds) } });
    };
  };
  if (settings.PARLEY_RATE_LIMIT_PER_MINUTE > 0) {
    const perKey = check(settings.PARLEY_RATE_LIMIT_PER_MINUTE, (request) => `key:${request.caller!.apiKeyId}`);
    app.addHook('onRequest', async (request) => {
      if (request.caller !== null) await perKey(request);
    });
  }
  return { publicRoute: check(settings.PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE, (request) => `address:${request.ip}`) };
}

import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { KEY_PREFIX } from '../store/redis.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Settings } from '../settings/settings.ts';
import { clientAddress } from './client-address.ts';

/** @throws HttpError 429 when the limit is exceeded. */
export type Limit = (request: FastifyRequest) => Promise<void>;

export interface RateLimits {
  /** For routes without a key: by client address. */
  readonly publicRoute: Limit;
  /** For requests with a key: by key. */
  readonly perKey: Limit;
  /** For texts to speak: by session while it is live, else by client address. */
  readonly talk: Limit;
  readonly wrongCredentials: {
    /** Before a credential is checked that was never valid. */
    readonly check: Limit;
    /** After it turned out to be wrong. */
    readonly count: Limit;
  };
}

const MINUTE_MS = 60_000;

/**
 * @param isLive whether a session is live.
 * @param redis counts for all processes; null: this process counts alone. While Redis is away, nothing is limited.
 */
export async function openRateLimits(
  app: FastifyInstance,
  settings: Settings,
  isLive: (sessionId: string) => boolean | Promise<boolean>,
  redis: Redis | null,
): Promise<RateLimits> {
  const shared = redis === null ? {} : { redis, nameSpace: `${KEY_PREFIX}rate:`, skipOnError: true };
  await app.register(rateLimit, { global: false, ...shared });
  const { PARLEY_RATE_LIMIT_PER_MINUTE: perKey, PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: perAddress } = settings;
  const limiter = (max: number, keyGenerator: (request: FastifyRequest) => string | Promise<string>) =>
    app.createRateLimit({ max, timeWindow: MINUTE_MS, keyGenerator });
  const counted =
    (take: ReturnType<typeof limiter>): Limit =>
    async (request) => {
      // It was counted where it came in.
      if (request.passedOn !== null) return;
      const taken = await take(request);
      if (!taken.isAllowed && taken.isExceeded) throw tooMany(taken.ttlInSeconds);
    };
  const wrong = limiter(perAddress, (request) => `wrong:${clientAddress(request)}`);
  return {
    publicRoute: counted(limiter(perAddress, (request) => `address:${clientAddress(request)}`)),
    perKey: perKey === 0 ? async () => {} : counted(limiter(perKey, (request) => `key:${request.caller!.apiKeyId}`)),
    talk: counted(
      limiter(perAddress, async (request) => {
        const { session_id: sessionId } = request.query as { session_id?: unknown };
        return typeof sessionId === 'string' && (await isLive(sessionId))
          ? `talk:${sessionId}`
          : `talk-address:${clientAddress(request)}`;
      }),
    ),
    wrongCredentials: {
      async check(request) {
        if (request.passedOn !== null) return;
        const taken = await wrong(request, { increment: false });
        if (!taken.isAllowed && taken.remaining === 0) throw tooMany(taken.ttlInSeconds);
      },
      count: counted(wrong),
    },
  };
}

function tooMany(seconds: number): HttpError {
  return new HttpError('tooManyRequests', { headers: { 'retry-after': String(Math.max(1, seconds)) } });
}

import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { callerId } from '../access/caller.ts';
import { hashOf } from '../access/credential-cache.ts';
import { KEY_PREFIX } from '../store/redis.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Settings } from '../settings/settings.ts';
import { clientAddress } from './client-address.ts';

/** @throws HttpError 429 when the limit is exceeded. */
export type Limit = (request: FastifyRequest) => Promise<void>;

export interface RateLimits {
  /** For routes without a key: by client address. */
  readonly publicRoute: Limit;
  /** For requests with a key, or of a user: by key, by user. */
  readonly perKey: Limit;
  /** For texts to speak: by session while it is live, else by client address. */
  readonly talk: Limit;
  readonly wrongCredentials: {
    /** Before a credential is checked that was never valid. */
    readonly check: Limit;
    /** After it turned out to be wrong. */
    readonly count: Limit;
  };
  /** The same for passwords: of one account, from whatever addresses, and of one address, for whatever accounts. */
  readonly wrongPasswords: { readonly check: Limit; readonly count: Limit };
}

const MINUTE_MS = 60_000;
/** Wrong passwords of one account in this time: more than people mistype, and no dictionary is tried at this rate. */
const WRONG_PASSWORDS = { max: 10, inMs: 10 * MINUTE_MS };
/**
 * Wrong passwords of one address in a minute. Each takes a quarter of a second of a core: an office behind one address mistypes
 * less, and who guesses takes an eighth of a core.
 */
const MAX_WRONG_PASSWORDS_OF_ADDRESS = 30;

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
  const limiter = (
    max: number,
    keyGenerator: (request: FastifyRequest) => string | Promise<string>,
    timeWindow = MINUTE_MS,
  ) => app.createRateLimit({ max, timeWindow, keyGenerator });
  const counted =
    (take: ReturnType<typeof limiter>): Limit =>
    async (request) => {
      // It was counted where it came in.
      if (request.forwarded !== null) return;
      const taken = await take(request);
      if (!taken.isAllowed && taken.isExceeded) throw tooMany(taken.ttlInSeconds);
    };
  const onlyAfter = (take: ReturnType<typeof limiter>): RateLimits['wrongCredentials'] => ({
    async check(request) {
      if (request.forwarded !== null) return;
      const taken = await take(request, { increment: false });
      if (!taken.isAllowed && taken.remaining === 0) throw tooMany(taken.ttlInSeconds);
    },
    count: counted(take),
  });
  return {
    publicRoute: counted(limiter(perAddress, (request) => `address:${clientAddress(request)}`)),
    perKey: perKey === 0 ? async () => {} : counted(limiter(perKey, (request) => `key:${callerId(request.caller!)}`)),
    talk: counted(
      limiter(perAddress, async (request) => {
        const { session_id: sessionId } = request.query as { session_id?: unknown };
        return typeof sessionId === 'string' && (await isLive(sessionId))
          ? `talk:${sessionId}`
          : `talk-address:${clientAddress(request)}`;
      }),
    ),
    wrongCredentials: onlyAfter(limiter(perAddress, (request) => `wrong:${clientAddress(request)}`)),
    wrongPasswords: both(
      onlyAfter(limiter(WRONG_PASSWORDS.max, accountOf, WRONG_PASSWORDS.inMs)),
      onlyAfter(limiter(MAX_WRONG_PASSWORDS_OF_ADDRESS, (request) => `wrong-password:${clientAddress(request)}`)),
    ),
  };
}

type OnlyAfter = RateLimits['wrongPasswords'];

function both(one: OnlyAfter, other: OnlyAfter): OnlyAfter {
  return {
    async check(request) {
      await one.check(request);
      await other.check(request);
    },
    async count(request) {
      await Promise.all([one.count(request), other.count(request)]);
    },
  };
}

/** Whose password a request has: of who calls, or of the e-mail in its body, which is not written down as it is. */
function accountOf({ caller, body }: FastifyRequest): string {
  return `password:${hashOf(caller?.userId ?? String((body as { email?: unknown } | null)?.email))}`;
}

function tooMany(seconds: number): HttpError {
  return new HttpError('tooManyRequests', { headers: { 'retry-after': String(Math.max(1, seconds)) } });
}

import type { FastifyRequest } from 'fastify';
import { callerId } from '../../access/caller.ts';
import { type App, callerOf } from '../../http/app.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { Settings } from '../../settings/settings.ts';

type Headers = Record<string, string>;

export type InviteLimitSettings = Pick<
  Settings,
  'PARLEY_MEETING_INVITES_PER_HOUR' | 'PARLEY_MEETING_INVITES_PER_MINUTE'
>;

/**
 * Counts invites per key, or user, and minute and per organization and hour.
 * @returns a function that counts one and gives the headers that tell what is left; it throws 429 when nothing is left.
 */
export function inviteLimits(app: App, settings: InviteLimitSettings): (request: FastifyRequest) => Promise<Headers> {
  const perMinute = app.createRateLimit({
    max: settings.PARLEY_MEETING_INVITES_PER_MINUTE,
    timeWindow: 60_000,
    keyGenerator: (request) => `invites:key:${callerId(callerOf(request))}`,
  });
  const perHour = app.createRateLimit({
    max: settings.PARLEY_MEETING_INVITES_PER_HOUR,
    timeWindow: 3_600_000,
    keyGenerator: (request) => `invites:organization:${callerOf(request).organizationId}`,
  });
  return async (request) => {
    const [minute, hour] = [await perMinute(request), await perHour(request)];
    if (minute.isAllowed || hour.isAllowed) return {};
    const tightest = hour.remaining < minute.remaining ? hour : minute;
    const headers: Headers = {
      'ratelimit-limit': String(settings.PARLEY_MEETING_INVITES_PER_MINUTE),
      'ratelimit-remaining': String(tightest.remaining),
      'ratelimit-reset': String(tightest.ttlInSeconds),
      'x-ratelimit-org-hour-limit': String(settings.PARLEY_MEETING_INVITES_PER_HOUR),
      'x-ratelimit-org-hour-remaining': String(hour.remaining),
      'x-ratelimit-org-hour-reset': String(hour.ttlInSeconds),
    };
    if (minute.isExceeded || hour.isExceeded) throw new HttpError('tooManyRequests', { headers });
    return headers;
  };
}

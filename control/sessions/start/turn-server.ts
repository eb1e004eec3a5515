import { createHmac } from 'node:crypto';
import type { Settings } from '../../settings/settings.ts';

/** TURN credentials are valid for this much longer than the longest session; without a limit they last a day. */
const MARGIN_SECONDS = 600;
const MAX_SECONDS = 86_400;

export type TurnSettings = Pick<Settings, 'PARLEY_TURN_PASSWORD' | 'PARLEY_TURN_SECRET' | 'PARLEY_TURN_USERNAME'>;

/**
 * Time-limited credentials in the form that TURN servers with a shared secret check: the name contains the expiry time.
 * Or else those that are the same for everybody. One of both is there if there is a TURN server (`media-network.ts`).
 * @param maxSeconds longest that the session can last. @param now ms since the epoch.
 */
export function turnCredentials(
  { PARLEY_TURN_SECRET: secret, PARLEY_TURN_USERNAME: fixedName, PARLEY_TURN_PASSWORD: fixedPassword }: TurnSettings,
  sessionId: string,
  maxSeconds: number | null,
  now: number,
): { username?: string | undefined; credential?: string | undefined } {
  if (secret === undefined) return { username: fixedName, credential: fixedPassword };
  const seconds = (maxSeconds ?? MAX_SECONDS) + MARGIN_SECONDS;
  const username = `${Math.floor(now / 1000) + seconds}:${sessionId}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}

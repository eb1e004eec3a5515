import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Settings } from '../../settings/settings.ts';

/**
 * Seconds between heartbeats, and between attempts of a client to open a socket: what every public client assumes
 * anyway.
 */
const HEARTBEAT_SECONDS = 5;
const SOCKET_ATTEMPTS = 5;
/** TURN credentials are valid for this much longer than the longest session; without a limit they last a day. */
const TURN_MARGIN_SECONDS = 600;
const TURN_SECONDS = 86_400;

export const clientConfig = z.object({
  heartbeatIntervalSeconds: z.number(),
  maxWsReconnectionAttempts: z.number().int(),
  // The Kotlin client reads the same two values under these names.
  expectedHeartbeatIntervalSecs: z.number().int(),
  maxWsReconnectAttempts: z.number().int(),
  /** Left out: clients use every path. */
  iceTransportPolicy: z.literal('relay').optional(),
  iceServers: z.array(
    z.object({
      urls: z.array(z.string()),
      username: z.string().optional(),
      credential: z.string().optional(),
      credentialType: z.literal('password'),
    }),
  ),
});

export type ClientConfigSettings = Pick<
  Settings,
  | 'PARLEY_ICE_SERVERS'
  | 'PARLEY_ICE_TRANSPORT_POLICY'
  | 'PARLEY_TURN_PASSWORD'
  | 'PARLEY_TURN_SECRET'
  | 'PARLEY_TURN_USERNAME'
>;

/** @param maxSeconds longest that the session can last. @param now ms since the epoch. */
export function clientConfigOf(
  settings: ClientConfigSettings,
  sessionId: string,
  maxSeconds: number | null,
  now: number,
): z.infer<typeof clientConfig> {
  const stun = settings.PARLEY_ICE_SERVERS.filter((url) => url.startsWith('stun'));
  const turn = settings.PARLEY_ICE_SERVERS.filter((url) => url.startsWith('turn'));
  return {
    heartbeatIntervalSeconds: HEARTBEAT_SECONDS,
    maxWsReconnectionAttempts: SOCKET_ATTEMPTS,
    expectedHeartbeatIntervalSecs: HEARTBEAT_SECONDS,
    maxWsReconnectAttempts: SOCKET_ATTEMPTS,
    ...(settings.PARLEY_ICE_TRANSPORT_POLICY === 'relay' && { iceTransportPolicy: 'relay' as const }),
    iceServers: [
      ...(stun.length === 0 ? [] : [{ urls: stun, credentialType: 'password' as const }]),
      ...(turn.length === 0
        ? []
        : [
            {
              urls: turn,
              ...turnCredentials(settings, sessionId, (maxSeconds ?? TURN_SECONDS) + TURN_MARGIN_SECONDS, now),
              credentialType: 'password' as const,
            },
          ]),
    ],
  };
}

/**
 * Time-limited credentials in the form that TURN servers with a shared secret check: the name contains the expiry time.
 * Or else those that are the same for everybody. One of both is there if there is a TURN server (`media-network.ts`).
 */
function turnCredentials(
  {
    PARLEY_TURN_SECRET: secret,
    PARLEY_TURN_USERNAME: fixedName,
    PARLEY_TURN_PASSWORD: fixedPassword,
  }: Pick<Settings, 'PARLEY_TURN_SECRET' | 'PARLEY_TURN_USERNAME' | 'PARLEY_TURN_PASSWORD'>,
  sessionId: string,
  seconds: number,
  now: number,
): { username?: string | undefined; credential?: string | undefined } {
  if (secret === undefined) return { username: fixedName, credential: fixedPassword };
  const username = `${Math.floor(now / 1000) + seconds}:${sessionId}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}

import { z } from 'zod';
import type { Settings } from '../../settings/settings.ts';
import { turnCredentials, type TurnSettings } from './turn-server.ts';

/**
 * Seconds between heartbeats, and between attempts of a client to open a socket: what every public client assumes
 * anyway.
 */
const HEARTBEAT_SECONDS = 5;
const SOCKET_ATTEMPTS = 5;
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

export type ClientConfigSettings = Pick<Settings, 'PARLEY_ICE_SERVERS' | 'PARLEY_ICE_TRANSPORT_POLICY'> & TurnSettings;

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
              ...turnCredentials(settings, sessionId, maxSeconds, now),
              credentialType: 'password' as const,
            },
          ]),
    ],
  };
}

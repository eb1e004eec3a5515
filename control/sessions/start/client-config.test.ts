import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../settings/settings.ts';
import { clientConfigOf } from './client-config.ts';

const NOW_MS = 1_800_000_000_000;
const NOW_S = NOW_MS / 1_000;
const SERVERS = { PARLEY_ICE_SERVERS: 'turn:turn.example.com:3478' };
const configOf = (environment: Record<string, string>, maxSeconds: number | null = null) =>
  clientConfigOf(readSettings(environment), 'the-session', maxSeconds, NOW_MS);

describe('what clients are told of the TURN server', () => {
  it('is a user name that expires after the longest session, and the password that belongs to it', () => {
    for (const [maxSeconds, lasts] of [
      [300, 300 + 600],
      [null, 86_400 + 600],
    ] as const) {
      const [server] = configOf({ ...SERVERS, PARLEY_TURN_SECRET: 'shared' }, maxSeconds).iceServers;
      const username = `${NOW_S + lasts}:the-session`;
      expect(server).toEqual({
        urls: ['turn:turn.example.com:3478'],
        username,
        credential: createHmac('sha1', 'shared').update(username).digest('base64'),
        credentialType: 'password',
      });
    }
  });

  it('is the user of all sessions if there is one', () => {
    const user = { PARLEY_TURN_USERNAME: 'parley', PARLEY_TURN_PASSWORD: 'word' };
    expect(configOf({ ...SERVERS, ...user }).iceServers).toEqual([
      { urls: ['turn:turn.example.com:3478'], username: 'parley', credential: 'word', credentialType: 'password' },
    ]);
  });
});

it('tells clients to use only the relay when the operator says so, and else nothing', () => {
  expect(configOf({})).not.toHaveProperty('iceTransportPolicy');
  const relayed = { ...SERVERS, PARLEY_TURN_SECRET: 'shared', PARLEY_ICE_TRANSPORT_POLICY: 'relay' };
  expect(configOf(relayed).iceTransportPolicy).toBe('relay');
});

import { setTimeout as pause } from 'node:timers/promises';
import { type Misdeed, startHostileLivekit } from '../../../engine/rooms/testing/hostile-livekit.ts';
import { callApi } from '../../lib/call-api.ts';
import type { Attack } from '../attack.ts';

/** Longer than any burst that is allowed. */
const FLOOD_MS = 10_000;

/** A LiveKit server of the attacker. Everybody with a key may name one. */
function livekitFlood(name: string, what: string, misdeed: Misdeed): Attack {
  return {
    name,
    what,
    prepare: async () => async (service) => {
      const server = await startHostileLivekit(misdeed);
      const { data } = await callApi<{ data: { id: string }[] }>(service, 'GET', '/v1/avatars?perPage=1');
      const { sessionToken } = await callApi<{ sessionToken: string }>(service, 'POST', '/v1/auth/session-token', {
        personaConfig: { avatarId: data[0]!.id, enableAudioPassthrough: true },
        environment: { livekitUrl: server.url, livekitToken: server.token },
      });
      const started = await fetch(`${service.url}/v1/engine/session`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
        body: '{}',
      });
      await pause(FLOOD_MS);
      const outcome = `start ${started.status}; ${server.sent()} messages, joined ${server.joins()} times`;
      server.close();
      return outcome;
    },
  };
}

export const livekitFloods: readonly Attack[] = [
  livekitFlood(
    'livekit-pings',
    'a LiveKit server that sends pings of its socket, and reads no answer',
    'pings of the socket',
  ),
  livekitFlood('livekit-signals', 'a LiveKit server that sends changes of participants without end', 'small signals'),
  livekitFlood(
    'livekit-crowds',
    'a LiveKit server that tells of 350,000 participants again and again',
    'large signals',
  ),
  livekitFlood('livekit-candidates', 'a LiveKit server that sends candidates without end', 'candidates'),
  livekitFlood('livekit-nonsense', 'a LiveKit server that sends nonsense', 'nonsense'),
  livekitFlood('livekit-calls', 'an agent in a room that calls the persona without end', 'calls'),
  livekitFlood('livekit-segments', 'an agent in a room that begins to speak without end', 'segments'),
  livekitFlood('livekit-speech', 'an agent in a room that sends speech as fast as it can', 'speech'),
];

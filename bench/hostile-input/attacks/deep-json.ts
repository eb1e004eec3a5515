import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openLoopbackClient } from '../../../engine/transport/testing/loopback-client.ts';
import type { ServiceAddress } from '../../lib/call-api.ts';
import { ANSWER_WITHIN_MS, signalingUrl, startSession, typed } from '../../lib/conversation.ts';
import type { Attack } from '../attack.ts';
import { counted } from '../counted.ts';

/** Recursive code fails between 5,000 and 10,000 levels. The largest body has room for ten times as many. */
const LEVELS = [100, 5_000, 100_000];

const nested = (levels: number, open: string, close: string): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;
const nestedObject = (levels: number): string => nested(levels, '{"a":', '}');
const nestedArray = (levels: number): string => `{"a":${nested(levels, '[', ']')}}`;

/** Every route that takes JSON of any shape. */
const BODIES: readonly { readonly path: string; body(json: string): string }[] = [
  { path: '/v1/auth/session-token', body: (json) => `{"personaConfig":{"name":"x"},"clientMetadata":${json}}` },
  { path: '/v1/personas', body: (json) => `{"name":"x","widgetConfig":${json}}` },
  {
    path: '/v1/tools',
    body: (json) => `{"name":"x","description":"x","type":"CLIENT","config":{"parameters":${json}}}`,
  },
  {
    path: '/v1/llms',
    body: (json) => `{"displayName":"x","llmFormat":"none","modelName":"x","secret":"x","metadata":${json}}`,
  },
  { path: '/v1/metrics/client', body: (json) => json },
];

async function overHttp({ url, apiKey }: ServiceAddress): Promise<string> {
  const statuses: number[] = [];
  for (const levels of LEVELS) {
    for (const { path, body } of BODIES) {
      for (const json of [nestedObject(levels), nestedArray(levels)]) {
        const answer = await fetch(url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: body(json),
        });
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }
    }
  }
  return counted(statuses);
}

/** Messages that no client library sends. The longest message has 64 KB. */
async function overDataChannel(service: ServiceAddress): Promise<string> {
  const sessionId = await startSession(service);
  const answered = Promise.withResolvers<string>();
  const media = openLoopbackClient({
    onMessage: (text) => text.includes('"role":"persona"') && answered.resolve('its own session answers afterwards'),
  });
  const socket = new WebSocket(`${signalingUrl(service)}?session_id=${sessionId}`);
  await once(socket, 'open');
  socket.on('message', (data) => {
    const { actionType, payload } = JSON.parse(String(data)) as { actionType: string; payload: { sdp: string } };
    if (actionType === 'answer') media.acceptAnswer(payload.sdp);
    if (actionType === 'endsession') answered.resolve('its own session was ended');
  });
  socket.send(
    JSON.stringify({
      actionType: 'offer',
      sessionId,
      payload: { connectionDescription: { type: 'offer', sdp: media.offer }, userUid: sessionId },
    }),
  );
  await media.channelOpen;
  for (const levels of [1_000, 5_000, 10_000]) {
    media.sendMessage(`{"message_type":"tool_result","tool_call_id":"x","result":${nestedObject(levels)}}`);
    media.sendMessage(`{"message_type":"persona_config","data":${nestedObject(levels)}}`);
    media.sendMessage(`{"message_type":"remote_rtp_stats","data":${nested(levels * 3, '[', ']')}}`);
  }
  media.sendMessage(typed('Hello?'));
  const outcome = await Promise.race([answered.promise, pause(ANSWER_WITHIN_MS, 'its own session no longer answers')]);
  media.close();
  socket.close();
  return outcome;
}

export const deepJson: readonly Attack[] = [
  {
    name: 'deep-json-http',
    what: `JSON ${LEVELS.map((levels) => levels.toLocaleString('en')).join(', ')} levels deep in every body`,
    prepare: async () => overHttp,
  },
  {
    name: 'deep-json-channel',
    what: 'JSON 1,000 to 30,000 levels deep over the data channel',
    prepare: async () => overDataChannel,
  },
];

import type { ServiceAddress } from '../../lib/call-api.ts';
import { openHeadlessConversation } from '../../lib/headless-conversation.ts';
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
  const user = await openHeadlessConversation(service);
  for (const levels of [1_000, 5_000, 10_000]) {
    user.client.sendMessage(`{"message_type":"tool_result","tool_call_id":"x","result":${nestedObject(levels)}}`);
    user.client.sendMessage(`{"message_type":"persona_config","data":${nestedObject(levels)}}`);
    user.client.sendMessage(`{"message_type":"remote_rtp_stats","data":${nested(levels * 3, '[', ']')}}`);
  }
  const outcome = await user.ask('Hello?').then(
    () => 'its own session answers afterwards',
    () => (user.client.ended() === null ? 'its own session no longer answers' : 'its own session was ended'),
  );
  user.close();
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

import { z } from 'zod';
import type { RoomAddress } from '../../../actors/session-config.ts';
import { MAX_TOKEN_LENGTH, readRoomToken } from '../../../engine/index.ts';
import { agentSettings } from '../../../engine/providers.ts';
import { detail, invalid } from '../../errors/http-error.ts';
import type { ControlPorts } from '../../ports.ts';
import { socketProblem } from './socket-problem.ts';

/** A room of a LiveKit server, as a request names it. */
export interface WantedRoom {
  readonly url: string;
  readonly token: string;
}

/** Of URLs everywhere. */
const MAX_URL_LENGTH = 4_096;

/** A session has one client: in a room, or over a WebSocket. */
const ONE_CLIENT = 'realtime and livekitUrl exclude each other';

/** In a room, another agent speaks; a Realtime client tells its model what to do. */
const ONE_BRAIN = 'elevenLabsAgentSettings excludes realtime and livekitUrl';

export const realtimeField = z
  .boolean()
  .describe('`true`: the client of this session talks over `/v1/realtime?session_id=…`, not with WebRTC.');

/** Where the persona goes, if not to a client. */
export const environment = z
  .object({
    livekitUrl: z
      .string()
      .max(MAX_URL_LENGTH)
      .nullable()
      .describe('Of a LiveKit server, version 1.9.1 or newer: `wss://…`. The persona joins a room there.'),
    livekitToken: z
      .string()
      .max(MAX_TOKEN_LENGTH)
      .nullable()
      .describe('LiveKit token of the persona, with the attribute `lk.publish_on_behalf`: the identity of the agent.'),
    realtime: realtimeField,
    elevenLabsAgentSettings: agentSettings
      .nullable()
      .describe('An agent of ElevenLabs hears, thinks and speaks in place of the persona’s LLM and voice.'),
  })
  .partial()
  .refine(
    ({ livekitUrl, livekitToken }) => (livekitUrl ?? null) === null || (livekitToken ?? null) !== null,
    'livekitUrl needs livekitToken',
  )
  .refine(
    ({ livekitUrl, livekitToken }) => (livekitToken ?? null) === null || (livekitUrl ?? null) !== null,
    'livekitToken needs livekitUrl',
  )
  .refine(({ livekitUrl, realtime }) => (livekitUrl ?? null) === null || realtime !== true, ONE_CLIENT)
  .refine(
    ({ livekitUrl, realtime, elevenLabsAgentSettings: agent }) =>
      (agent ?? null) === null || ((livekitUrl ?? null) === null && realtime !== true),
    ONE_BRAIN,
  );

export function roomOf(wanted: z.infer<typeof environment> | undefined): WantedRoom | null {
  const { livekitUrl: url, livekitToken: token } = wanted ?? {};
  return url == null || token == null ? null : { url, token };
}

const URL_FIELD = 'environment.livekitUrl';
const TOKEN_FIELD = 'environment.livekitToken';

/**
 * Checks what can be known of a room without going there.
 * @throws HttpError 400 for the address, or for the token.
 */
export async function checkRoom(
  { publicUrls }: Pick<ControlPorts, 'publicUrls'>,
  { url: text, token }: WantedRoom,
): Promise<RoomAddress> {
  const problem = await socketProblem(publicUrls, text);
  if (problem !== null) throw invalid([detail(URL_FIELD, problem)]);
  const read = readRoomToken(token);
  if (typeof read === 'string') throw invalid([detail(TOKEN_FIELD, read)]);
  return { url: text, token, room: read.room, identity: read.identity, agent: read.agent };
}

import { createHmac } from 'node:crypto';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A LiveKit token, signed as its SDKs do it. */
export function roomToken(env: Readonly<Record<string, string>>, claims: object): string {
  const now = Math.floor(Date.now() / 1_000);
  const body = { iss: env['LIVEKIT_API_KEY'], nbf: now - 5, exp: now + 600, ...claims };
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(body)}`;
  return `${signed}.${createHmac('sha256', env['LIVEKIT_API_SECRET']!).update(signed).digest('base64url')}`;
}

/** One call of the server's RoomService. @throws with the answer when it is refused. */
async function callRoomService<T>(
  env: Readonly<Record<string, string>>,
  method: 'CreateRoom' | 'ListParticipants',
  grants: object,
  body: object,
): Promise<T> {
  const response = await fetch(`${env['LIVEKIT_URL']!.replace('ws', 'http')}/twirp/livekit.RoomService/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${roomToken(env, { video: grants })}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} → ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** The server sends a job for it to a worker that is registered. */
export async function createRoom(env: Readonly<Record<string, string>>, name: string): Promise<void> {
  await callRoomService(env, 'CreateRoom', { roomCreate: true }, { name });
}

/** @returns how many tracks a participant publishes; null: it is not there. */
export async function publishedTracks(
  env: Readonly<Record<string, string>>,
  room: string,
  identity: string,
): Promise<number | null> {
  type Answer = { participants?: { identity: string; tracks?: object[] }[] };
  const { participants = [] } = await callRoomService<Answer>(
    env,
    'ListParticipants',
    { roomAdmin: true, room },
    { room },
  ).catch((): Answer => ({}));
  return participants.find((one) => one.identity === identity)?.tracks?.length ?? null;
}

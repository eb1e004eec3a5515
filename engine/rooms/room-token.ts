/** What a participant token of LiveKit says. Only its server can check the signature. */
export interface RoomToken {
  readonly room: string;
  /** Of the participant that the token is for. */
  readonly identity: string;
  /** Identity of the agent that the participant speaks for. */
  readonly agent: string;
}

/** Names the agent of an avatar, in the attributes of the avatar's token. */
const ON_BEHALF_OF = 'lk.publish_on_behalf';
/** LiveKit's tokens have some 600 characters. */
export const MAX_TOKEN_LENGTH = 16_384;
/** Names and identities. */
const MAX_NAME_LENGTH = 512;

/** @returns a sentence that says what is wrong with the token, for the person who sent it. */
export function readRoomToken(token: string): RoomToken | string {
  const claims = claimsOf(token);
  if (claims === null) return 'is not a LiveKit token';
  const { sub, video, attributes } = claims;
  const grants = objectOr(video);
  const room = grants['room'];
  const agent = objectOr(attributes)[ON_BEHALF_OF];
  if (!isName(sub)) return 'names no participant (claim "sub")';
  if (grants['roomJoin'] !== true || !isName(room)) return 'does not allow to join a room';
  if (grants['canPublish'] === false || grants['canPublishData'] === false) return 'does not allow to publish';
  if (!isName(agent)) return `names no agent to speak for (attribute "${ON_BEHALF_OF}")`;
  return { room, identity: sub, agent };
}

function claimsOf(token: string): Record<string, unknown> | null {
  const parts = token.split('.');
  if (parts.length !== 3 || token.length > MAX_TOKEN_LENGTH) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1]!, 'base64url').toString());
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function objectOr(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;
}

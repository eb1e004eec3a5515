/** The public face of the actors: what decides in a conversation. */
export { createSession, type Session, type SessionOptions } from './session/create-session.ts';
export { openingRequest } from './reply/opening-request.ts';
export type { SessionSnapshot } from './session/session-snapshot.ts';
export type { FloorOwner } from './floor/floor-owner.ts';

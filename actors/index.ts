/** The public face of the actors: what decides in a conversation. */
export { createSession, type Session } from './session/create-session.ts';
export { openingRequest } from './reply/opening-request.ts';

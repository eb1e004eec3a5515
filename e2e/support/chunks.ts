import type { HeardEvent } from './sdk-session.ts';

/** A piece of a message as the public client passes it on. */
export interface Chunk {
  readonly id: string;
  readonly role: 'user' | 'persona';
  readonly content: string;
  readonly endOfSpeech: boolean;
  readonly interrupted: boolean;
  /** Of its turn. */
  readonly correlationId?: string;
}

export function chunks(events: readonly HeardEvent[]): Chunk[] {
  return events.filter(({ event }) => event === 'MESSAGE_STREAM_EVENT_RECEIVED').map(({ args }) => args[0] as Chunk);
}

export function personaTurnsEnded(events: readonly HeardEvent[]): number {
  return chunks(events).filter((chunk) => chunk.role === 'persona' && chunk.endOfSpeech).length;
}

export function userTurns(events: readonly HeardEvent[]): Chunk[] {
  return chunks(events).filter((chunk) => chunk.role === 'user');
}

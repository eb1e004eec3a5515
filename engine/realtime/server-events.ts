import { randomBytes } from 'node:crypto';
import type { EventProblem } from './client-events.ts';

/** An event for a Realtime client, with the name of the released interface. */
export type ServerEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** Names of the beta, where they differ. */
const BETA: Readonly<Record<string, string>> = {
  'conversation.item.added': 'conversation.item.created',
  'response.output_audio.delta': 'response.audio.delta',
  'response.output_audio.done': 'response.audio.done',
  'response.output_audio_transcript.delta': 'response.audio_transcript.delta',
  'response.output_audio_transcript.done': 'response.audio_transcript.done',
};
/** Events that the beta does not have. */
const ONLY_RELEASED: ReadonlySet<string> = new Set(['conversation.item.done']);

/** @returns the text to send; null: this interface has no such event. */
export function written(event: ServerEvent, names: 'released' | 'beta'): string | null {
  if (names === 'beta' && ONLY_RELEASED.has(event.type)) return null;
  const type = names === 'beta' ? (BETA[event.type] ?? event.type) : event.type;
  return JSON.stringify({ event_id: newId('event'), ...event, type });
}

export function newId(kind: string): string {
  return `${kind}_${randomBytes(10).toString('hex')}`;
}

export function errorEvent({ code, message, param, eventId }: EventProblem): ServerEvent {
  return { type: 'error', error: { type: 'invalid_request_error', code, message, param, event_id: eventId } };
}

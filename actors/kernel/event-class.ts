import type { SessionEventType } from '../events.ts';

/**
 * What an interruption does to an event that still waits is a property of its type:
 * `system` goes before everything else, `speech` tells of sound that an interruption has taken back and is dropped by
 * it, `keep` is always delivered in its turn. (What was heard in full, and word times, stay true after a cut: they are
 * kept, because the ledger of spoken words needs them.)
 */
export type EventClass = 'system' | 'speech' | 'keep';

const CLASSES: Partial<Record<SessionEventType, EventClass>> = {
  'service.stop': 'system',
  'client.hangUp': 'system',
  'peer.closed': 'system',
  'client.interrupt': 'system',
  'speech.firstAudio': 'speech',
  'speech.started': 'speech',
};

export function eventClass(type: SessionEventType): EventClass {
  return CLASSES[type] ?? 'keep';
}

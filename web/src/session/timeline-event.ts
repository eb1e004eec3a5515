import type { DataMessage } from './data-messages.ts';

export type EventKind = 'user' | 'persona' | 'floor' | 'tool' | 'network' | 'service';

export interface TimelineEvent {
  /** Ms since the session began. */
  readonly at: number;
  readonly kind: EventKind;
  readonly label: string;
}

const KINDS: readonly EventKind[] = ['user', 'persona', 'floor', 'tool', 'network', 'service'];

export function eventKind(text: string): EventKind {
  return KINDS.find((kind) => kind === text) ?? (text === 'tools' ? 'tool' : 'service');
}

/** How a data-channel message reads in the timeline. Null: not worth a line, as for the middle of a sentence. */
export function describe(message: DataMessage): Omit<TimelineEvent, 'at'> | null {
  switch (message.kind) {
    case 'user-speech':
      return { kind: 'user', label: message.speaking ? 'You began to speak' : 'You fell silent' };
    case 'speech':
      if (message.role === 'user') return { kind: 'user', label: 'Your words were understood' };
      if (message.interrupted) return { kind: 'persona', label: 'Interrupted' };
      return message.last ? { kind: 'persona', label: 'Finished speaking' } : null;
    case 'reasoning':
      return message.last ? { kind: 'persona', label: 'Finished thinking' } : null;
    case 'tool':
      return { kind: 'tool', label: toolLabel(message) };
    case 'settings':
      return { kind: 'service', label: `Settings changed: ${message.changed.join(', ') || 'nothing'}` };
    case 'cue':
      return { kind: 'persona', label: `Cue: ${message.tag}` };
  }
}

function toolLabel(message: Extract<DataMessage, { kind: 'tool' }>): string {
  if (message.phase === 'started') return `${message.name} called`;
  if (message.phase === 'failed') return `${message.name} failed: ${message.error ?? ''}`;
  return message.documents.length === 0 ? `${message.name} finished` : `${message.name} read ${message.documents.join(', ')}`;
}

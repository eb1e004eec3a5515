import type { DataMessage } from './data-messages.ts';

/** Who is speaking. `persona` ends with the last chunk of its message, which the service sends as the sound ends. */
export interface Floor {
  readonly user: boolean;
  readonly persona: boolean;
  /** The user has finished, the persona has not begun. */
  readonly awaiting: boolean;
}

export type FloorHolder = 'nobody' | 'you' | 'persona' | 'both' | 'thinking';

export const QUIET_FLOOR: Floor = { user: false, persona: false, awaiting: false };

export function floorAfter(floor: Floor, message: DataMessage): Floor {
  if (message.kind === 'user-speech') return { ...floor, user: message.speaking, awaiting: !message.speaking };
  if (message.kind === 'speech' && message.role === 'user') return { ...floor, awaiting: true };
  if (message.kind === 'speech') return { ...floor, persona: !message.last, awaiting: false };
  return floor;
}

export function floorAfterTyping(floor: Floor): Floor {
  return { ...floor, awaiting: true };
}

export function holderOf(floor: Floor): FloorHolder {
  if (floor.user && floor.persona) return 'both';
  if (floor.user) return 'you';
  if (floor.persona) return 'persona';
  return floor.awaiting ? 'thinking' : 'nobody';
}

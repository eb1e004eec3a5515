import type { ServerMessage } from './server-messages.ts';

/** Who speaks. `persona` ends with the last piece of its message, which the service sends as the sound ends. */
export interface Floor {
  readonly user: boolean;
  readonly persona: boolean;
  /** The user has finished, the persona has not begun. */
  readonly awaiting: boolean;
}

export type FloorHolder = 'nobody' | 'user' | 'persona' | 'both' | 'thinking';

export const QUIET_FLOOR: Floor = { user: false, persona: false, awaiting: false };

export function floorAfter(floor: Floor, message: ServerMessage): Floor {
  if (message.kind === 'user-speech') {
    const speaking = message.phase === 'started';
    return { ...floor, user: speaking, awaiting: !speaking };
  }
  if (message.kind !== 'speech') return floor;
  if (message.event.role === 'user') return { ...floor, awaiting: true };
  return { ...floor, persona: !message.event.endOfSpeech, awaiting: false };
}

export function floorAfterTyping(floor: Floor): Floor {
  return { ...floor, awaiting: true };
}

export function holderOf(floor: Floor): FloorHolder {
  if (floor.user && floor.persona) return 'both';
  if (floor.user) return 'user';
  if (floor.persona) return 'persona';
  return floor.awaiting ? 'thinking' : 'nobody';
}

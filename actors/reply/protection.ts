import type { BusEvent } from '../session/inner-events.ts';

/**
 * How many things forbid an interruption now: an uninterruptible greeting, a running tool with `disableInterruptions`,
 * the closing message. Several may hold at once, so they are counted.
 */
export function countProtection(count: number, event: BusEvent): number {
  if (event.type === 'persona.protected') return count + 1;
  if (event.type === 'persona.unprotected') return Math.max(0, count - 1);
  return count;
}

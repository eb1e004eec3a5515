import type { BusEvent } from '../kernel/inner-events.ts';

/**
 * How many things forbid an interruption now: an uninterruptible greeting, a running tool with `disableInterruptions`,
 * the closing message. Several may hold at once, so they are counted.
 */
export function countUninterruptible(count: number, event: BusEvent): number {
  if (event.type === 'persona.uninterruptible') return count + 1;
  if (event.type === 'persona.interruptible') return Math.max(0, count - 1);
  return count;
}

import { SlotsInRedis } from '../../control/index.ts';
import type { Logger } from '../../engine/index.ts';
import { systemTimers } from '../../runtime/clock.ts';
import type { Storage } from './storage.ts';

/** Counts sessions together with other processes. @returns null: this process counts alone. */
export function openSharedSlots(
  closing: AsyncDisposableStack,
  { redis }: Pick<Storage, 'redis'>,
  log: Logger,
): SlotsInRedis | null {
  if (redis === null) return null;
  const slots = new SlotsInRedis(redis, { timers: systemTimers, now: Date.now, log });
  closing.defer(() => slots.close());
  return slots;
}

import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Of a thread that takes what live sessions leave of the processor. */
export const LOWEST_PRIORITY = 19;

/**
 * Makes the calling thread, and those that it starts from now on, yield to the others of the machine. On Linux a thread
 * has a priority of its own; elsewhere this does nothing, and nothing is lost but the order.
 * @param niceness 0 (ordinary) … 19 (only what nobody else wants).
 */
export function lowerThreadPriority(niceness: number): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), niceness);
  } catch {
    return;
  }
}

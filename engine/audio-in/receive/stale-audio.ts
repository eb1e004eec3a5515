/**
 * Sound that waited this long for a busy machine is no longer heard. An answer to it would come to somebody who has given
 * up, and a thread that is slower than its users talk would fall behind further with every second, and hold all of it in
 * memory. A stall of a second or two is caught up with: words are worth more than the moment.
 */
export const MOST_WAIT_MS = 5_000;

/**
 * Engine times.
 * @param readyAt when the models were loaded: what came before had to wait for them, and is heard.
 */
export function waitedTooLong(arrivedAt: number, readyAt: number, now: number): boolean {
  return arrivedAt >= readyAt && now - arrivedAt > MOST_WAIT_MS;
}

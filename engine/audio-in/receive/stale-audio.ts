/**
 * Audio that has waited this long for a busy machine is dropped. An answer to it would come after the user has given
 * up. A thread that is slower than its users talk would fall behind more with every second, and keep all that audio in
 * memory. After a stall of a second or two, the audio is still used: the words matter more than the delay.
 */
export const MAX_WAIT_MS = 5_000;

/**
 * Engine times.
 * @param readyAt when the models were loaded: sound from before had to wait for them, and is used.
 */
export function isStale(arrivedAt: number, readyAt: number, now: number): boolean {
  return arrivedAt >= readyAt && now - arrivedAt > MAX_WAIT_MS;
}

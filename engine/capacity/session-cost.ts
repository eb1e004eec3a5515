/**
 * How much of a core a session takes while it speaks, for one ms of the calibration's frame. On a machine where that
 * frame takes 0.30 ms, the engine took 7.4 % of a core for a session that speaks (`bench/video-sessions`), and the
 * processes of the offline voices 2 % (`bench/soak`).
 */
const CORES_PER_FRAME_MS = 0.33;
/** Where the machine could not be measured: that of the slowest machine on which Parley was measured. */
export const COST_UNKNOWN = 0.12;

/** @param frameMs of `calibrate`. @returns cores. */
export function sessionCores(frameMs: number): number {
  return frameMs * CORES_PER_FRAME_MS;
}

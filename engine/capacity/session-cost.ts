/**
 * How much of a core a session takes while it speaks, for one ms of the calibration's frame: the whole service with
 * its speech processes, divided by the sessions (`bench/video-sessions`, 15 sessions that all speak).
 */
const CORES_PER_FRAME_MS = 0.1;
/** Where the machine could not be measured: that of the slowest machine on which Parley was measured. */
export const COST_UNKNOWN = 0.12;

/** @param frameMs of `calibrate`. @returns cores. */
export function sessionCores(frameMs: number): number {
  return frameMs * CORES_PER_FRAME_MS;
}

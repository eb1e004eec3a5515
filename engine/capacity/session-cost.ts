/**
 * How much of a core a session takes while it speaks: what does not depend on the video, and what grows with the
 * calibration's frame. Where that frame takes 0.345 ms, the engine took 7.7 % of a core for a session; where it takes 1.3
 * ms (slow memory, on which encoders wait), 10.8 %; where it takes 2.5 ms, 12.3 to 14 % (`bench/video-sessions`,
 * `bench/soak`). The processes of the offline voices take 2 % more (`bench/soak`).
 */
const CORES_OF_SESSION = 0.086;
const CORES_PER_FRAME_MS = 0.035;
/** Where the machine could not be measured, or not yet: that of the slowest machine on which Parley was measured. */
export const COST_UNKNOWN = 0.17;

/** @param frameMs of `calibrate`. @returns cores. */
export function sessionCores(frameMs: number): number {
  return CORES_OF_SESSION + frameMs * CORES_PER_FRAME_MS;
}

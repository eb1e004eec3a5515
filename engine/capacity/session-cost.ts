/**
 * How much of a core is planned for a session while it speaks: for what does not depend on the video, and for what grows with
 * the calibration's frame. Both are from two machines with two cores (`bench/overload`). Where that frame takes 0.345 ms, 14
 * sessions kept the promise; the engine took 7.7 % of a core for each, and the processes of the offline voices 2 %. Where it
 * takes 1.3 ms, because encoders wait for memory, five kept it with ease, and ten did not (frames late p99 43 to 62 ms).
 */
const CORES_OF_SESSION = 0.08;
const CORES_PER_FRAME_MS = 0.1;
/** Where the machine could not be measured, or not yet: that of the slower one of these machines. */
export const COST_UNKNOWN = 0.21;

/** @param frameMs of `calibrate`. @returns cores. */
export function sessionCores(frameMs: number): number {
  return CORES_OF_SESSION + frameMs * CORES_PER_FRAME_MS;
}

/** All faces run at this rate: what clients expect, and enough for lips. */
export const FRAMES_PER_SECOND = 25;
export const FRAME_MS = 1000 / FRAMES_PER_SECOND;

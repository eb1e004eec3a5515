/** Sound on the line, in both directions, and of recordings: 48 kHz mono; one Opus packet has 20 ms. */
export const SAMPLE_RATE = 48_000;
export const FRAME_MS = 20;
export const FRAME_SAMPLES = 960;
export const SAMPLES_PER_MS = 48;

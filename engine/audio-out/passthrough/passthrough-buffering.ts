import { FRAME_MS, SAMPLES_PER_MS } from '../../media/audio-format.ts';
import type { PassthroughLimits } from '../../ports.ts';
import type { Buffering } from '../queue/playback-queue.ts';

/** How much of a sequence must be there before it starts (contract); a shorter sequence starts at its end signal. */
const START_MS = 800;
/** After the sequence ran dry, it continues with this much. */
const RESUME_MS = 200;
/**
 * If a sequence is dry, or too short to begin, for this long without an end signal, the client has forgotten the signal.
 * The sequence is complete, and the face returns to rest.
 */
export const ABANDONED_AFTER_MS = 2_000;
/**
 * Chunks of an interrupted sequence that arrive within this time were on their way when it was interrupted: they are
 * not spoken. A client that interrupts and then continues to count without an end signal is heard again after it.
 */
export const IN_FLIGHT_MS = 1_000;
/** How much sound may wait in one session: 11 MB. Clients may send faster than real time, but not without limit. */
const MAX_WAITING_MS = 120_000;

/** Of the contract with clients. */
export const CLIENT_LIMITS: PassthroughLimits = { startMs: START_MS, mostWaitingMs: MAX_WAITING_MS };

export function passthroughBuffering({ startMs }: PassthroughLimits): Buffering {
  return { startSamples: startMs * SAMPLES_PER_MS, resumeSamples: RESUME_MS * SAMPLES_PER_MS };
}

/** How many samples of silence fill the last frame of a sequence. */
export function paddingSamples(totalSamples: number): number {
  const frame = FRAME_MS * SAMPLES_PER_MS;
  return (frame - (totalSamples % frame)) % frame;
}

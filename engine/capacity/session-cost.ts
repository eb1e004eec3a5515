/**
 * How much of a core is planned for a session while it speaks: for what does not depend on the machine, and for what grows
 * with the calibration's frame. Both are from two machines with two cores (`bench/overload`, 2026-11-25). Where that frame
 * takes 0.38 ms, 22 sessions kept the promise (frames late p99 13 ms), and 25 did not (59 ms). Where it takes 1.3 ms,
 * five kept it with ease, and ten did not (43 to 62 ms).
 */
const CORES_OF_SESSION = 0.013;
const CORES_PER_FRAME_MS = 0.152;
/**
 * The same for the recognition of speech on this machine, in processes of their own. With PocketSphinx, 12 sessions kept the
 * promise with all their frames where 22 do with a service, and 16 gave up a sixth of them.
 */
const RECOGNITION_PER_FRAME_MS = 0.12;
/**
 * The same for a neural voice on this machine. Piper's Joe takes 0.09 s for a second of speech where the frame takes 0.38 ms;
 * two cores carried 12 callers with it where flite beside the same recognizer carried 16.
 */
const NEURAL_VOICE_PER_FRAME_MS = 0.1;
/**
 * Neural models are measured on each machine (`models/sherpa/measure-speed.ts`): that is known better than by the frame. How many
 * seconds of sound are read, and are spoken, in a second of a session in which everybody speaks in turn. With Whisper tiny
 * (0.06 s for a second of sound) two cores carried 16 callers where they carry 22 without, and 12 with Joe (0.09 s) beside it.
 */
const READ_PER_SECOND = 0.43;
const SPOKEN_PER_SECOND = 0.36;
/** Where the machine could not be measured, or not yet: it counts as the slower one of these two, ms. */
const FRAME_UNKNOWN_MS = 1.3;
/**
 * Share of a session's CPU time that the main thread has, without recognition: 2.3 of 7.5 % of a core. That is a session that
 * speaks (`bench/video-sessions`, 5.5 %), and 2 % for its offline voice (`bench/soak`).
 */
const MAIN_PART = 0.3;

/** In cores. */
export interface SessionCost {
  readonly cores: number;
  /** Of them, the main thread's of its process. */
  readonly mainThread: number;
}

/** What models on this machine do for a session, in processes of their own. */
export interface LocalWork {
  /** Speech is recognized. */
  readonly recognizesHere: boolean;
  /** A neural model speaks. @defaultValue false */
  readonly speaksHere?: boolean;
  /** CPU time for a second of sound that is read, s, as measured here. @defaultValue null: not measured */
  readonly readingFactor?: number | null;
  /** The same for a second that is spoken. @defaultValue null */
  readonly speakingFactor?: number | null;
}

/** @param frameMs of `calibrate`; null: it is not known. */
export function sessionCost(frameMs: number | null, work: LocalWork): SessionCost {
  const ms = frameMs ?? FRAME_UNKNOWN_MS;
  const cores = CORES_OF_SESSION + ms * CORES_PER_FRAME_MS;
  return { cores: cores + recognition(ms, work) + voice(ms, work), mainThread: cores * MAIN_PART };
}

function recognition(frameMs: number, { recognizesHere, readingFactor = null }: LocalWork): number {
  if (!recognizesHere) return 0;
  return readingFactor === null ? frameMs * RECOGNITION_PER_FRAME_MS : readingFactor * READ_PER_SECOND;
}

function voice(frameMs: number, { speaksHere = false, speakingFactor = null }: LocalWork): number {
  if (!speaksHere) return 0;
  return speakingFactor === null ? frameMs * NEURAL_VOICE_PER_FRAME_MS : speakingFactor * SPOKEN_PER_SECOND;
}

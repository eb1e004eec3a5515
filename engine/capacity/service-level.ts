/**
 * What every admitted session is promised, and from where on the promise is at risk. `bench/overload` shows that it
 * is kept at each number of sessions that somebody asks for.
 */
export const SERVICE_LEVEL = {
  /** The server's own part of an answer, p95, ms. */
  answerMs: 40,
  /** Lateness of video frames, p99: until the next frame is due, ms. */
  frameMs: 40,
  /** Lateness of audio frames, p99: until the next packet is due, ms. */
  soundMs: 20,
} as const;

/** Signals above these mean that the promise is at risk. They lie below it, because a remedy takes seconds to work. */
export const AT_RISK = {
  /** Delay of the main thread's event loop, p95 of a second, ms. It paces all sound. */
  loopDelayMs: 15,
  /** Lateness of video frames, p99 of a second, ms. */
  framesLateMs: 30,
  /** Share of a second in which the main thread could run and had no core. */
  waitedShare: 0.25,
} as const;

/** Signals below this share of the bounds above mean that the machine has room again. */
export const CALM_SHARE = 0.6;

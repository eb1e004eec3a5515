import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** For the watchdog's thread. */
export interface WatchdogData {
  /** Counted up by the main thread, once a beat. */
  readonly beats: SharedArrayBuffer;
  readonly beatMs: number;
  /** The main thread is stuck when it has missed this many beats in a row. */
  readonly missed: number;
}

/** No work of the service blocks the main thread for a second. */
const LIMIT_MS = 60_000;
const BEATS = 60;

/**
 * Kills this process with SIGKILL when its main thread is blocked for a minute. Its conversations are dead by then, and
 * its supervisor (systemd, a container's restart policy) starts it again. The main thread cannot notice this itself, so
 * another thread counts its beats. That thread counts its own time and not the clock's, so a suspended machine, a
 * stopped process and one that gets no processor time are not taken for stuck. The watchdog does nothing in a process
 * that is being debugged.
 * @param limitMs @defaultValue a minute. @returns a function that ends the watchdog.
 */
export function startWatchdog(limitMs: number = LIMIT_MS): () => void {
  if (debuggerUrl() !== undefined) return () => {};
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const beatMs = limitMs / BEATS;
  const count = new Int32Array(beats);
  const beat = setInterval(() => void Atomics.add(count, 0, 1), beatMs);
  const watcher = new Worker(new URL('watchdog-thread.ts', import.meta.url), {
    name: 'stuck',
    workerData: { beats, beatMs, missed: BEATS } satisfies WatchdogData,
    // It only holds a counter.
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  // If the watchdog fails, the service runs without one.
  watcher.on('error', () => {});
  watcher.unref();
  beat.unref();
  return () => {
    clearInterval(beat);
    void watcher.terminate();
  };
}

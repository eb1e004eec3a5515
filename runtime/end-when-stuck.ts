import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** What the watching thread is told. */
export interface StuckWatchData {
  /** Counted up by the main thread, once a beat. */
  readonly beats: SharedArrayBuffer;
  readonly beatMs: number;
  /** So many beats that the watching thread counts, and the main thread does not: it is stuck. */
  readonly missed: number;
}

/** Nothing that the service does takes the main thread for a second. */
const LIMIT_MS = 60_000;
const BEATS = 60;

/**
 * Ends this process with SIGKILL when its main thread does nothing else for a minute: its conversations are dead by then, and
 * whoever supervises it (systemd, a container's restart policy) starts it again. It cannot see that by itself, so a thread
 * counts. The thread counts its own time, not the clock's: a machine that slept, a stopped process and one that gets no
 * processor are not stuck. Not in a process that is being debugged. @param limitMs @defaultValue a minute
 * @returns ends the watch.
 */
export function endWhenStuck(limitMs: number = LIMIT_MS): () => void {
  if (debuggerUrl() !== undefined) return () => {};
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const beatMs = limitMs / BEATS;
  const count = new Int32Array(beats);
  const beat = setInterval(() => void Atomics.add(count, 0, 1), beatMs);
  const watcher = new Worker(new URL('end-when-stuck-thread.ts', import.meta.url), {
    name: 'stuck',
    workerData: { beats, beatMs, missed: BEATS } satisfies StuckWatchData,
    // It holds a counter.
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  // Without it, the service is what it was before there was a watch.
  watcher.on('error', () => {});
  watcher.unref();
  beat.unref();
  return () => {
    clearInterval(beat);
    void watcher.terminate();
  };
}

import { saveCompileCache } from '../../runtime/compile-cache.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { releaseMemoryWhenIdle } from '../../runtime/idle-memory.ts';
import { PROCESS_MEMORY } from '../../runtime/allocator.ts';
import { getPriority, setPriority } from 'node:os';
import { exitWithParent } from '../../runtime/exit-with-parent.ts';
import type { SynthesisJob, SynthesisMessage } from './synthesis-protocol.ts';
import { ProviderError, type SynthesisChunk } from '../ports.ts';

/** What a library must provide for a synthesis process. */
export interface SpeechLibrary {
  /** Speaks one text, and passes on audio and timings as they come. It blocks. Throws `ProviderError`. */
  speak(job: SynthesisJob, deliver: (chunk: SynthesisChunk) => void): void;
}

/**
 * A sentence is made twenty times faster than it plays, in 0.05 to 0.2 s of a whole core. Audio and video frames, due
 * every 20 and 40 ms, must not wait for that. So the process pauses after each piece once there is enough to begin
 * with, and it has low priority. Ten sessions on two cores (bench/soak.ts): frames late p99 53 → 38 ms, missing 1.2 →
 * 0.1 %.
 */
const NICENESS = 5;
const PIECES_AT_ONCE = 4;
const REST_MS = 2;

/**
 * Runs a synthesis process: loads the library, reports that it is ready, and speaks jobs until the parent ends.
 * @param whenMissing the message if the library cannot be loaded, for clients.
 */
export function serveSynthesis(load: () => SpeechLibrary, whenMissing: string): void {
  const send = (message: SynthesisMessage) => {
    if (process.connected) process.send?.(message);
  };
  // A service with a raised priority keeps it: only root may raise it again.
  setPriority(Math.max(NICENESS, getPriority()));
  exitWithParent();

  let library: SpeechLibrary;
  try {
    library = load();
  } catch {
    send({ type: 'unavailable', message: whenMissing });
    process.disconnect?.();
    return;
  }
  let spoke = false;
  process.on('message', (job: SynthesisJob) => {
    spoke = true;
    let pieces = 0;
    try {
      library.speak(job, (chunk) => {
        send({ type: 'chunk', jobId: job.jobId, chunk });
        pieces += 1;
        if (pieces >= PIECES_AT_ONCE) rest();
      });
      send({ type: 'end', jobId: job.jobId });
    } catch (error) {
      const code = error instanceof ProviderError ? error.code : 'server';
      const message = error instanceof ProviderError ? error.message : 'The speech library failed.';
      send({ type: 'error', jobId: job.jobId, code, message });
    }
  });
  send({ type: 'ready' });
  saveCompileCache();
  // Idle: nobody has spoken since the last look.
  const isIdle = (): boolean => !spoke || (spoke = false);
  releaseMemoryWhenIdle(isIdle, systemTimers, PROCESS_MEMORY);
}

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Blocks the thread: the library has no asynchronous wait. */
function rest(): void {
  Atomics.wait(never, 0, 0, REST_MS);
}

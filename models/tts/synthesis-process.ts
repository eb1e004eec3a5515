import { getPriority, setPriority } from 'node:os';
import type { SynthesisJob, SynthesisMessage } from './synthesis-protocol.ts';
import { ProviderError, type SynthesisChunk } from '../ports.ts';

/** One library as a synthesis process sees it. */
export interface SpeechLibrary {
  /** Speaks one text, handing on sound and timings as they come. Blocks. Throws `ProviderError`. */
  speak(job: SynthesisJob, deliver: (chunk: SynthesisChunk) => void): void;
}

/**
 * A sentence is made twenty times faster than it is heard, in 0.05 to 0.2 s of a whole core. What is due every 20 and
 * 40 ms must not wait for that: once there is enough to begin with, the process rests after every piece, and where it
 * competes the media come first. Ten sessions on two cores (bench/soak.ts): frames late p99 53 → 38 ms, missing 1.2 →
 * 0.1 %.
 */
const NICENESS = 5;
const PIECES_AT_ONCE = 4;
const REST_MS = 2;

/**
 * The life of a synthesis process: load the library, say so, speak what is asked, end with the parent. Ctrl-C reaches
 * the whole process group; the parent decides when it is over, so signals are left to it.
 * @param whenMissing what is said when the library cannot be loaded; fit for a client.
 */
export function serveSynthesis(load: () => SpeechLibrary, whenMissing: string): void {
  const send = (message: SynthesisMessage) => {
    if (process.connected) process.send?.(message);
  };
  // A service that was started with more keeps it: only root may go back.
  setPriority(Math.max(NICENESS, getPriority()));
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit(0));

  let library: SpeechLibrary;
  try {
    library = load();
  } catch {
    send({ type: 'unavailable', message: whenMissing });
    process.disconnect?.();
    return;
  }
  process.on('message', (job: SynthesisJob) => {
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
}

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** The library cannot wait, so the thread does. */
function rest(): void {
  Atomics.wait(never, 0, 0, REST_MS);
}

import type { SynthesisJob, SynthesisMessage } from './synthesis-protocol.ts';
import { ProviderError, type SynthesisChunk } from '../ports.ts';

/** One library as a synthesis process sees it. */
export interface SpeechLibrary {
  /** Speaks one text, handing on sound and timings as they come. Blocks. Throws `ProviderError`. */
  speak(job: SynthesisJob, deliver: (chunk: SynthesisChunk) => void): void;
}

/**
 * The life of a synthesis process: load the library, say so, speak what is asked, end with the parent. Ctrl-C reaches
 * the whole process group; the parent decides when it is over, so signals are left to it.
 * @param whenMissing what is said when the library cannot be loaded; fit for a client.
 */
export function serveSynthesis(load: () => SpeechLibrary, whenMissing: string): void {
  const send = (message: SynthesisMessage) => {
    if (process.connected) process.send?.(message);
  };
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
    try {
      library.speak(job, (chunk) => send({ type: 'chunk', jobId: job.jobId, chunk }));
      send({ type: 'end', jobId: job.jobId });
    } catch (error) {
      const code = error instanceof ProviderError ? error.code : 'server';
      const message = error instanceof ProviderError ? error.message : 'The speech library failed.';
      send({ type: 'error', jobId: job.jobId, code, message });
    }
  });
  send({ type: 'ready' });
}

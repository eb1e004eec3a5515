import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ProviderError,
  type SpeechSynthesizer,
  type SynthesisChunk,
  type SynthesisRequest,
} from '../../../models/ports.ts';
import type { Timers } from '../../../runtime/clock.ts';

/** A voice that gives no sound for this long counts as failed, before the first audio and in the middle. */
export const SYNTHESIS_SILENCE_LIMIT_MS = 10_000;

export interface SynthesisHandlers {
  chunk(chunk: SynthesisChunk): void;
  /** Exactly one of `ended` and `failed` follows, unless the run was stopped. */
  ended(): void;
  /** @param message may be shown to the client. */
  failed(message: string, cause: unknown): void;
}

/** Synthesizes one sentence. @returns a function that stops it: after that, no handler is called. */
export function runSynthesis(
  synthesizer: SpeechSynthesizer,
  request: SynthesisRequest,
  timers: Timers,
  handlers: SynthesisHandlers,
): () => void {
  const abort = new AbortController();
  const run: { state: 'running' | 'over' } = { state: 'running' };
  let timer: unknown = null;

  const over = () => {
    if (run.state === 'over') return false;
    run.state = 'over';
    timers.clearTimeout(timer);
    return true;
  };
  const fail = (message: string, cause: unknown) => {
    if (!over()) return;
    abort.abort();
    handlers.failed(message, cause);
  };
  const watch = () => {
    timers.clearTimeout(timer);
    timer = timers.setTimeout(() => fail('The voice did not answer in time.', null), SYNTHESIS_SILENCE_LIMIT_MS);
  };

  watch();
  void (async () => {
    try {
      for await (const chunk of synthesizer.synthesize(request, abort.signal)) {
        if (run.state === 'over') return;
        if (chunk.pcm.length > 0) watch();
        handlers.chunk(chunk);
        // A voice that gives all of a sentence at once would block the thread for 0.3 s. Audio and video of other
        // sessions are due in that time.
        await nextTurn();
      }
      if (over()) handlers.ended();
    } catch (error) {
      fail(error instanceof ProviderError ? error.message : 'The voice failed.', error);
    }
  })();

  return () => {
    if (over()) abort.abort();
  };
}

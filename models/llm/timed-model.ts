import type { LatencyTable } from '../latency-table.ts';
import { failureCode, type LanguageModel } from '../ports.ts';

/** The same model, with its first tokens and its failures noted. @param now monotonic ms. */
export function timedModel(
  model: LanguageModel,
  provider: string,
  latencies: LatencyTable,
  now: () => number = () => performance.now(),
): LanguageModel {
  return {
    ...model,
    async *stream(request, signal) {
      const askedAt = now();
      let answer: 'awaited' | 'begun' = 'awaited';
      try {
        for await (const event of model.stream(request, signal)) {
          if (answer === 'awaited' && event.type !== 'done') {
            latencies.add('token', provider, now() - askedAt);
            answer = 'begun';
          }
          yield event;
        }
      } catch (error) {
        const code = signal.aborted ? failureCode(signal.reason) : failureCode(error);
        // Left because another LLM may be quicker: it has failed. Left because the user wants no answer: it has not.
        if (!signal.aborted || code === 'timeout') latencies.failed('token', provider, code);
        throw error;
      }
    },
  };
}

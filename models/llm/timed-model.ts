import type { LatencyTable } from '../latency-table.ts';
import { failureCode, type LanguageModel } from '../ports.ts';

/** The same model. It reports times to first tokens, and failures. @param now monotonic ms. */
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
        // If it is left because another LLM may be faster, it has failed. If the user wants no answer any more, it has
        // not.
        if (!signal.aborted || code === 'timeout') latencies.failed('token', provider, code);
        throw error;
      }
    },
  };
}

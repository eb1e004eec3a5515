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
        if (!signal.aborted) latencies.failed('token', provider, failureCode(error));
        throw error;
      }
    },
  };
}

import { AnswerLimitError, type SizeLimits } from './answer-limits.ts';
import { UnitSplitter } from './unit-splitter.ts';

export type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** What happens when a body is too long: an error, or it is cut. */
export type BodyLimits =
  | ({ readonly beyond: 'error' } & SizeLimits)
  | { readonly beyond: 'cut'; readonly bodyBytes: number };

/**
 * The same body with limits. It reads only on request. If it exceeds a limit, or is not read to its end, its connection
 * is closed.
 * @param ended called once, when it is not read any more.
 */
export function limitedBody(body: ByteStream, limits: BodyLimits, ended: () => void = () => {}): ByteStream {
  const reader = body.getReader();
  const units = limits.beyond === 'cut' ? null : new UnitSplitter(limits);
  let left = limits.beyond === 'cut' ? limits.bodyBytes : Number.POSITIVE_INFINITY;

  function leave(reason: unknown): void {
    ended();
    reader.cancel(reason).catch(() => {});
  }

  async function next(): Promise<Uint8Array<ArrayBuffer> | null> {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return null;
      const complete = units === null ? value : units.take(value);
      if (complete.length > 0) return complete;
    }
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const complete = await next();
          if (complete === null) {
            const rest = units?.rest();
            if (rest?.length) controller.enqueue(rest);
            controller.close();
            return ended();
          }
          controller.enqueue(complete.subarray(0, left));
          left -= complete.length;
          if (left > 0) return;
          controller.close();
          leave(undefined);
        } catch (error) {
          leave(error);
          throw AnswerLimitError.in(error) ?? error;
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

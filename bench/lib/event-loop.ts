import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Delay of this thread's event loop, ms. If it is high, other figures say more about the machine than about the code.
 */
export interface EventLoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The interval of the histogram's own timer, which is subtracted. */
const RESOLUTION_MS = 10;

export function watchEventLoop(): { stop(): EventLoopDelay } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return {
    stop() {
      histogram.disable();
      return { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(histogram.max) };
    },
  };
}

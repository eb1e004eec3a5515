export interface Step {
  /** From now. */
  readonly atMs: number;
  readonly run: () => void;
}

/**
 * Runs steps at their times, in their order; what is late is run at once. Timers of their own would overtake each other on a
 * busy machine. @returns stops it: nothing more is run.
 */
export function runInOrder(steps: readonly Step[]): () => void {
  const begunAt = performance.now();
  const left = [...steps];
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    if (left.length > 0) timer = setTimeout(run, Math.max(1, left[0]!.atMs - (performance.now() - begunAt)));
  };
  const run = (): void => {
    const passedMs = performance.now() - begunAt;
    while (left.length > 0 && left[0]!.atMs <= passedMs) left.shift()!.run();
    wait();
  };
  wait();
  return () => {
    clearTimeout(timer);
    left.length = 0;
  };
}

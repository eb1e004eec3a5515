/** Lines are written together: a session makes about 35 a second, most of them voice activity windows. */
const BATCH_CHARS = 16 * 1024;

export interface LogBatches {
  /** @param line with its end. */
  add(line: string): void;
  flush(): void;
}

/** Collects the flight recorder's lines for the sink. */
export function createLogBatches(write: (lines: string) => void): LogBatches {
  let batch = '';
  const flush = (): void => {
    if (batch === '') return;
    const full = batch;
    batch = '';
    write(full);
  };
  return {
    add(line) {
      batch += line;
      if (batch.length >= BATCH_CHARS) flush();
    },
    flush,
  };
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Memory {
  readonly rssMb: number;
  readonly heapMb: number;
}

const MB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory of the process, and of this thread's heap. */
export function memoryNow(): Memory {
  const { rss, heapUsed } = process.memoryUsage();
  return { rssMb: rss / MB, heapMb: heapUsed / MB };
}

/** The same after everything that nobody holds is gone. Stops this thread for some ten milliseconds. */
export function memoryAfterCollection(): Memory {
  collect();
  return memoryNow();
}

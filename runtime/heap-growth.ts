import { setFlagsFromString } from 'node:v8';

/**
 * How much the heaps of a process may grow between two collections of everything, in percent of what is in use. V8
 * counts the bytes of every packet and frame as memory that lives long, so by itself it marks a whole heap of 15 to 35
 * MB each time 3 to 20 MB have passed through: with ten sessions 1.3 times a second in the thread of the frames and
 * every 2.3 s in the main one, 25 to 50 ms each, and a tenth of a core for its helpers. With this it happens about once
 * a minute, for some 50 MB more.
 */
const GROWTH_PERCENT = 200;

/** For all threads of the process, those that run and those to come. */
export function letHeapsGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

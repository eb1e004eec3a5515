import { setFlagsFromString } from 'node:v8';

/**
 * How much the heaps of a process may grow between two full collections, in percent of the memory in use. V8 counts the
 * bytes of every packet and frame as long-lived memory. So by default it marks a whole heap of 15 to 35 MB each time 3
 * to 20 MB have passed through: with ten sessions 1.3 times a second in the thread of the frames and every 2.3 s in the
 * main one, 25 to 50 ms each, and a tenth of a core for its helper threads. With this setting it happens about once a
 * minute, for some 50 MB more.
 */
const GROWTH_PERCENT = 200;

/** For all threads of the process, also those that start later. */
export function raiseHeapGrowthLimit(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

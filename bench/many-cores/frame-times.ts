/**
 * How long a frame of the calibration takes while so many threads encode at the same time: what the cores of a machine are
 * worth together. Two that share one core's units are each slower than one alone.
 *
 *   node bench/many-cores/frame-times.ts [threads …]
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { FrameTimes } from '../../engine/capacity/calibrate.ts';
import { quantile } from '../lib/statistics.ts';
import { printTable } from '../lib/table.ts';

function measure(): Promise<FrameTimes> {
  const thread = new Worker(new URL('../../engine/capacity/calibrate-thread.ts', import.meta.url));
  return new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject));
}

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, availableParallelism()];
const rows: (string | number)[][] = [];
for (const count of counts) {
  const times = (await Promise.all(Array.from({ length: count }, measure))).map((each) => each['full pixel']);
  rows.push([String(count), quantile(times, 0), quantile(times, 0.5), quantile(times, 1)]);
}
printTable(['threads', 'frame ms: least', 'median', 'most'], rows);

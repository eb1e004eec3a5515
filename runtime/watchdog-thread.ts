import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WatchdogData } from './watchdog.ts';

const { beats, beatMs, missed } = workerData as WatchdogData;
const count = new Int32Array(beats);
const STANDARD_ERROR = 2;
let seen = Atomics.load(count, 0);
let quiet = 0;

setInterval(() => {
  const now = Atomics.load(count, 0);
  quiet = now === seen ? quiet + 1 : 0;
  seen = now;
  if (quiet < missed) return;
  const seconds = Math.round((missed * beatMs) / 1_000);
  try {
    // The log is written by the thread that is stuck.
    writeSync(
      STANDARD_ERROR,
      `The main thread has done nothing for ${seconds} s: the process ends, to be started again.\n`,
    );
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}, beatMs);

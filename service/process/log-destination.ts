import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const STANDARD_OUTPUT = 1;

/**
 * Where the log goes. A line that cannot be written, because the disk of its file is full or its reader is gone, is
 * lost, and the next one that can be written says how many were. Pino's own destination throws then, keeps every line
 * in memory, and tries for ever when the process wants to end (measured: a service whose log lay on a full disk hung).
 * @param fd of a file, a pipe or a terminal.
 */
export function logDestination(fd: number = STANDARD_OUTPUT): DestinationStream {
  let lost = 0;
  /** The last line was cut off in the middle: the next one needs a line of its own. */
  let torn = false;

  /** @returns whether all of it was written. */
  function written(text: string): boolean {
    const bytes = Buffer.from(text);
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(fd, bytes, done);
      torn = false;
      return true;
    } catch {
      torn ||= done > 0;
      return false;
    }
  }

  return {
    write(line) {
      const notice =
        lost === 0
          ? ''
          : `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, lost, msg: 'lines of the log were lost: they could not be written' })}\n`;
      if (written((torn ? '\n' : '') + notice + line)) lost = 0;
      else lost += 1;
    },
  };
}

import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = '/usr/lib';
/** Debian keeps libraries in a folder of the processor. Node has several threads. */
const LIBRARY = readdirSync(FOLDER)
  .map((folder) => join(FOLDER, folder, 'faketime', 'libfaketimeMT.so.1'))
  .find((file) => existsSync(file));

/** Whether a process can be given another time of day (Debian package `libfaketime`). */
export const hasFakeTime = LIBRARY !== undefined;

/**
 * Environment of a process whose time of day is ahead of this machine's. Its timers and the speed of time stay the
 * same.
 */
export function clockAhead(seconds: number): Record<string, string> {
  return { LD_PRELOAD: LIBRARY ?? '', FAKETIME: `+${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

export interface MovableClock {
  /** Environment of the process that has this clock. */
  readonly env: Record<string, string>;
  /** Sets it ahead, besides what it is already. The process knows it a second later. */
  advance(seconds: number): Promise<void>;
  remove(): Promise<void>;
}

/** The time of day of a process, which a test sets ahead while it runs: what takes hours is over at once. */
export async function movableClock(): Promise<MovableClock> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-clock-'));
  const file = join(folder, 'offset');
  let ahead = 0;
  // The process reads it whenever it wants: an empty one would set its clock back.
  const write = async (): Promise<void> => {
    await writeFile(`${file}.new`, `+${ahead}s\n`);
    await rename(`${file}.new`, file);
  };
  await write();
  return {
    env: {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    async advance(seconds) {
      ahead += seconds;
      await write();
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

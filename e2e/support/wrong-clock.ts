import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '/usr/lib';
/** Debian keeps libraries in a folder of the processor. Node has several threads. */
const LIBRARY = readdirSync(FOLDER)
  .map((folder) => join(FOLDER, folder, 'faketime', 'libfaketimeMT.so.1'))
  .find((file) => existsSync(file));

/** Whether a process can be given another time of day (Debian package `libfaketime`). */
export const hasWrongClocks = LIBRARY !== undefined;

/** Environment of a process whose time of day is ahead of this machine's. How fast it goes, and its timers, are as ever. */
export function clockAhead(seconds: number): Record<string, string> {
  return { LD_PRELOAD: LIBRARY ?? '', FAKETIME: `+${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

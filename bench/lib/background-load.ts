import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseProcessTicks, TICKS_PER_SECOND } from '../../engine/capacity/proc-files.ts';

/** A program that keeps the cores busy beside the measured one. */
export interface BackgroundLoad {
  /** Ends it. @returns the share of each core that it got, 0…1. */
  stop(): number;
}

/** It is busy for its share of each period, ms. */
const PERIOD_MS = 20;
/** Work that it could not do because others had the core is made up for within this time, ms; older work is dropped. */
const CATCH_UP_MS = 200;

/** The program for one core. The share is of processor time, so it is the same on a busy machine and on an idle one. */
const program = (share: number): string => `
  const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
  let [since, before] = [performance.now(), used()];
  setInterval(() => {
    const behind = (performance.now() - since) * ${share} - (used() - before);
    if (behind > ${CATCH_UP_MS * share}) before -= behind - ${CATCH_UP_MS * share};
    while (used() - before < (performance.now() - since) * ${share});
  }, ${PERIOD_MS});`;

/** Starts a program that takes a share of each core. Linux. @param share 0…1 */
export function startBackgroundLoad(share: number): BackgroundLoad {
  const began = performance.now();
  const parts = Array.from({ length: availableParallelism() }, (_, core) =>
    spawn('taskset', ['--cpu-list', String(core), process.execPath, '-e', program(share)], { stdio: 'ignore' }),
  );
  return {
    stop() {
      const usedS = parts.reduce((sum, part) => sum + processorSeconds(part), 0);
      const tookS = (performance.now() - began) / 1_000;
      for (const part of parts) part.kill('SIGKILL');
      return usedS / tookS / parts.length;
    },
  };
}

function processorSeconds({ pid }: ChildProcess): number {
  try {
    return parseProcessTicks(readFileSync(`/proc/${pid}/stat`, 'utf8')) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

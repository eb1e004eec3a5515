import type { MachineTotals } from './machine.ts';

/** What the machine did in about the last second. */
export interface Load {
  /** Cores that other programs of the machine used. */
  readonly othersCores: number;
  /** Cores that programs of ordinary priority used, the service included. */
  readonly busyCores: number;
  /** Share of the time in which the main thread could run and had no core. */
  readonly waitedShare: number;
  /** Delay of the main thread's event loop, p95, ms. */
  readonly loopDelayMs: number;
  /** Lateness of video frames, p99, ms. */
  readonly framesLateMs: number;
  readonly freeMemoryBytes: number;
}

/** @param tookMs between the two. */
export function loadBetween(
  before: MachineTotals,
  after: MachineTotals,
  tookMs: number,
  lateness: Pick<Load, 'loopDelayMs' | 'framesLateMs'>,
): Load {
  const tookS = tookMs / 1000;
  const processCores = Math.max(0, after.ownCpuS - before.ownCpuS) / tookS;
  const busyCores =
    before.machineCpuS === null || after.machineCpuS === null
      ? processCores
      : (after.machineCpuS - before.machineCpuS) / tookS;
  return {
    busyCores,
    othersCores: Math.max(0, busyCores - processCores),
    waitedShare: Math.max(0, after.waitedMs - before.waitedMs) / tookMs,
    freeMemoryBytes: after.freeMemoryBytes,
    ...lateness,
  };
}

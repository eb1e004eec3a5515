import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseMachineTicks, parsePids, parseProcessTicks, parseWaitedMs, TICKS_PER_SECOND } from './proc-files.ts';

/** Totals of this machine at one moment; differences of two tell what happened between them. */
export interface MachineTotals {
  /** CPU time of all programs of ordinary priority on the machine, s. Null: this system does not tell. */
  readonly machineCpuS: number | null;
  /** CPU time of the service with its processes, all engine processes included, s. */
  readonly ownCpuS: number;
  /** Time in which the main thread could run and had no core, ms. */
  readonly waitedMs: number;
  readonly freeMemoryBytes: number;
}

export interface Machine {
  /** Cores that the service may use. */
  readonly cores: number;
  totals(): Promise<MachineTotals>;
  /** Delay of this thread's event loop since the last call, p95, ms. One long pause does not move it. */
  loopDelayMs(): number;
  close(): void;
}

/** More are no session's: a sandbox has one child. */
const MAX_DEPTH = 3;
/**
 * The processes of a service stay the same for minutes, and to look for them takes a file for each thread: forty reads, each
 * of which wakes this thread and another one. So it is done in one look of so many.
 */
export const SEARCH_EVERY = 10;

/** Several engine processes of one service. */
export interface Siblings {
  /** How many there are, this one included. */
  readonly engines: number;
  /** The process that has started them. */
  readonly parentPid: number;
}

/** Of the histogram's own timer, whose time is subtracted. */
const RESOLUTION_MS = 10;

/**
 * The machine that the service runs on. Systems without /proc tell only what Node knows. @param siblings what they use is
 * the service's own.
 */
export function openThisMachine(siblings: Siblings | null = null): Machine {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  // This process tells its own time more finely.
  const others =
    siblings === null
      ? new Family(process.pid, MAX_DEPTH, [])
      : new Family(siblings.parentPid, MAX_DEPTH + 1, [siblings.parentPid]);
  return {
    cores: availableParallelism(),
    loopDelayMs() {
      const delay = Math.max(0, loop.percentile(95) / 1e6 - RESOLUTION_MS);
      loop.reset();
      return delay;
    },
    close: () => void loop.disable(),
    async totals() {
      const [stat, waited, childrenTicks] = await Promise.all([
        text('/proc/stat'),
        text(`/proc/self/task/${process.pid}/schedstat`),
        others.ticks(),
      ]);
      const { user, system } = process.cpuUsage();
      const machineTicks = parseMachineTicks(stat);
      return {
        machineCpuS: machineTicks === null ? null : machineTicks / TICKS_PER_SECOND,
        ownCpuS: (siblings === null ? (user + system) / 1e6 : 0) + childrenTicks / TICKS_PER_SECOND,
        waitedMs: parseWaitedMs(waited),
        freeMemoryBytes: process.availableMemory(),
      };
    },
  };
}

/** What a process has started, and what that has started, and so on. */
class Family {
  readonly #first: number;
  readonly #depth: number;
  readonly #also: readonly number[];
  #descendants: readonly number[] = [];
  #looks = 0;

  /** @param also processes whose time is counted as well. */
  constructor(first: number, depth: number, also: readonly number[]) {
    this.#first = first;
    this.#depth = depth;
    this.#also = also;
  }

  /** CPU time. Those that ended are not counted: they make the service's share look smaller for one sample. */
  async ticks(): Promise<number> {
    if (this.#looks % SEARCH_EVERY === 0) this.#descendants = await descendants(this.#first, this.#depth);
    this.#looks += 1;
    const stats = await Promise.all([...this.#also, ...this.#descendants].map((pid) => text(`/proc/${pid}/stat`)));
    return stats.reduce((sum, stat) => sum + parseProcessTicks(stat), 0);
  }
}

async function descendants(pid: number, depth: number): Promise<number[]> {
  if (depth === 0) return [];
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => text(`/proc/${pid}/task/${thread}/children`)));
  const children = lists.flatMap(parsePids);
  return [...children, ...(await Promise.all(children.map((child) => descendants(child, depth - 1)))).flat()];
}

/** Empty when there is no such file, or no more. */
async function text(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}

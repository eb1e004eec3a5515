import { cpus } from 'node:os';
import { processTree } from '../../bench/lib/process-tree.ts';
import { processorTime } from './processor-time.ts';

/** Samples. At one in five seconds they are half a minute: a program that pauses is not gone. */
const WINDOW = 6;
/** The kernel's own work for a run of the tests, and what outlives its parent, is nobody's: less than 0.1 measured. */
const NOBODYS = 0.2;

export interface UsedCores {
  readonly at: number;
  /** Processor time of the whole machine, and of this run with all that it has started, ms. */
  readonly all: number;
  readonly own: number;
}

/** How many cores programs take that do not belong to this run. */
export class OtherPrograms {
  readonly #samples: UsedCores[] = [];

  /** Call every five seconds. */
  add(used: UsedCores): void {
    this.#samples.push(used);
    if (this.#samples.length > WINDOW) this.#samples.shift();
  }

  /** @returns on average over the last half minute; 0 while it is not known. */
  cores(): number {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || this.#samples.length < WINDOW) return 0;
    const others = last.all - first.all - (last.own - first.own);
    return Math.max(0, others / (last.at - first.at) - NOBODYS);
  }
}

/** What is in use up to now. Linux; elsewhere all of it counts as this run's. */
export function usedCores(): UsedCores {
  const all = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  const run = processTree(process.pid);
  const own = run.reduce((sum, { pid }) => sum + processorTime(pid, 'with ended children'), 0);
  return { at: performance.now(), all, own: run.length === 0 ? all : own };
}

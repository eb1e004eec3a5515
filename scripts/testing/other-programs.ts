import { cpus } from 'node:os';
import { processTree } from '../../bench/lib/process-tree.ts';
import { processorTime } from './processor-time.ts';

/** Samples. At one in five seconds they are half a minute: a program that pauses is not gone. */
const WINDOW = 6;
/**
 * Less is no program: the kernel's own work for a run of the tests, and what outlives its parent, as after a test that kills
 * services. 0.05 to 0.2 measured. Lent in steps of half a core, a tenth less would keep a whole file waiting.
 */
const NOBODYS = 0.35;

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
    const others = (last.all - first.all - (last.own - first.own)) / (last.at - first.at);
    return others < NOBODYS ? 0 : others;
  }
}

/** What is in use up to now. Linux; elsewhere all of it counts as this run's. */
export function usedCores(): UsedCores {
  const all = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  const run = processTree(process.pid);
  const own = run.reduce((sum, { pid }) => sum + processorTime(pid, 'with ended children'), 0);
  return { at: performance.now(), all, own: run.length === 0 ? all : own };
}

import { readdirSync } from 'node:fs';
import { statFields, timeIn } from './processor-time.ts';

/** Samples. At one in five seconds they are half a minute: a program that pauses is not gone. */
const WINDOW = 6;
/**
 * Less is no program: what outlives its parent before it was seen, as after a test that kills services. Lent in steps of half
 * a core, a tenth less would keep a whole file waiting.
 */
const NOBODYS = 0.35;
/** Everything of the kernel is a child of this one, and of nobody (proc(5)). */
const KERNEL = 2;
/** It takes over the children of what has ended, with their time: it would be this run's own. */
const INIT = 1;

interface Sample {
  readonly at: number;
  /** Processor time of all programs of others since the first sample, ms. */
  readonly ms: number;
}

/** How many cores programs take that do not belong to this run. */
export class OtherPrograms {
  readonly #samples: Sample[] = [];

  /** Call every five seconds. */
  add(sample: Sample): void {
    this.#samples.push(sample);
    if (this.#samples.length > WINDOW) this.#samples.shift();
  }

  /** @returns on average over the last half minute; 0 while it is not known. */
  cores(): number {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || this.#samples.length < WINDOW) return 0;
    const others = (last.ms - first.ms) / (last.at - first.at);
    return others < NOBODYS ? 0 : others;
  }
}

/** One process of this machine. */
export interface MachineProcess {
  readonly pid: number;
  readonly parent: number;
  /** A number is given again. */
  readonly key: string;
  /** Processor time, with that of its descendants that have ended, ms. */
  readonly ms: number;
}

/**
 * Tells others' processes from those of this run. What this run has started stays its own when its parent ends before it:
 * where all was another's that was not in the run's tree, each killed service and browser was half a core of others.
 */
export class ProcessesOfOthers {
  readonly #root: number;
  readonly #own = new Set<string>();
  #before: number | null = null;
  #ms = 0;

  /** @param root the process whose descendants are this run's own. */
  constructor(root: number) {
    this.#root = root;
  }

  /** @param processes all there are. @returns processor time that others have used since the first call, ms. */
  used(processes: readonly MachineProcess[]): number {
    this.#remember(processes);
    const others = processes.filter(
      ({ pid, parent, key }) => pid !== INIT && pid !== KERNEL && parent !== KERNEL && !this.#own.has(key),
    );
    const now = others.reduce((sum, { ms }) => sum + ms, 0);
    // It sinks when one ends whose parent has ended.
    if (this.#before !== null) this.#ms += Math.max(0, now - this.#before);
    this.#before = now;
    return this.#ms;
  }

  #remember(processes: readonly MachineProcess[]): void {
    const byPid = new Map(processes.map((one) => [one.pid, one]));
    const isOwn = ({ pid, parent, key }: MachineProcess): boolean => {
      if (pid === this.#root || this.#own.has(key)) return true;
      const above = byPid.get(parent);
      return above !== undefined && isOwn(above);
    };
    for (const one of processes) if (isOwn(one)) this.#own.add(one.key);
  }
}

/** Where the parent and the time of its start are among the fields (proc(5)). */
const PARENT = 1;
const STARTED = 19;

/** @returns all processes of this machine; none where there is no `/proc`. */
export function machineProcesses(): MachineProcess[] {
  return pids().flatMap((pid) => {
    try {
      const fields = statFields(pid);
      const ms = timeIn(fields, 'with ended children');
      return [{ pid, parent: Number(fields[PARENT]), key: `${pid} ${fields[STARTED]}`, ms }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

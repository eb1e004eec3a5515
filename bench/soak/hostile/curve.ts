import { loadavg } from 'node:os';
import { processTree, proportionalMb } from '../../lib/process-tree.ts';
import type { ServiceSample } from './watch-service.ts';

const EVERY_MS = 5 * 60_000;

export const CURVE_HEADERS = [
  'minute',
  'RSS MB',
  'heap MB',
  'external MB',
  'its processes MB',
  'all, shared pages once, MB',
  'open files',
  'longest stall, ms',
  'questions asked, lost',
  'load',
];

export interface Questions {
  readonly asked: number;
  /** Not answered in time. */
  readonly lost: number;
}

/** The state of a service every five minutes. Each row is said at once, so that a run that is cut off leaves its curve. */
export class Curve {
  readonly rows: (string | number)[][] = [];
  readonly #pid: number;
  readonly #questions: () => Questions;
  #began: number | null = null;
  #worstStallMs = 0;

  /** @param pid of the service. */
  constructor(pid: number, questions: () => Questions) {
    this.#pid = pid;
    this.#questions = questions;
  }

  add({ at, rssMb, heapMb, externalMb, childrenMb, files, stallMs }: ServiceSample): void {
    this.#began ??= at;
    this.#worstStallMs = Math.max(this.#worstStallMs, stallMs);
    if (at - this.#began < this.rows.length * EVERY_MS) return;
    const { asked, lost } = this.#questions();
    const all = processTree(this.#pid).reduce((sum, { pid }) => sum + proportionalMb(pid), 0);
    const row = [
      ((at - this.#began) / 60_000).toFixed(0),
      ...[rssMb, heapMb, externalMb, childrenMb, all].map((mb) => mb.toFixed(0)),
      files,
      this.#worstStallMs.toFixed(0),
      `${asked}, ${lost}`,
      (loadavg()[0] ?? 0).toFixed(1),
    ];
    this.#worstStallMs = 0;
    this.rows.push(row);
    console.error(`  ${CURVE_HEADERS.map((name, index) => `${name} ${row[index]}`).join(' · ')}`);
  }
}

import { cpus } from 'node:os';

/** Seconds. Shorter, a pause of a conversation looks like room. */
const WINDOW = 2;

/** How much of all cores is in use, by whomever, over the last seconds. */
export class BusyCores {
  readonly #samples: { readonly idle: number; readonly all: number }[] = [];

  /** Call once a second. */
  sample(): void {
    const times = cpus().map((core) => core.times);
    const idle = times.reduce((sum, core) => sum + core.idle, 0);
    const all = times.reduce((sum, core) => sum + core.user + core.nice + core.sys + core.irq + core.idle, 0);
    this.#samples.push({ idle, all });
    if (this.#samples.length > WINDOW + 1) this.#samples.shift();
  }

  /** @returns 0: all are idle, 1: all are in use. 1 also while it is not known. */
  share(): number {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || this.#samples.length <= WINDOW) return 1;
    return 1 - (last.idle - first.idle) / Math.max(1, last.all - first.all);
  }
}

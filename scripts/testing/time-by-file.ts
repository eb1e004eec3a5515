import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /**
     * What a file of tests took, with all programs that it has started and that have ended, ms: `record-file-time.ts`.
     */
    took?: { readonly wallMs: number; readonly processorMs: number };
    /** How long a file waited for its cores before it began, ms: `scripts/testing/acquire-cores.ts`. */
    waitedMs?: number;
  }
}

/** As many as one looks at to make the suite shorter. */
const SHOWN = 25;

interface Row {
  readonly project: string;
  readonly file: string;
  readonly wallS: number;
  readonly processorS: number;
}

/**
 * Prints at the end of a run what each project and the slowest files took: wall time, and processor time of the file
 * with all programs that it has started. On a busy machine only the second can be compared.
 */
export class TimeByFile implements Reporter {
  readonly #spans = new Map<string, { begin: number; end: number }>();

  onTestModuleQueued({ project }: TestModule): void {
    const now = performance.now();
    const span = this.#spans.get(project.name) ?? { begin: now, end: now };
    this.#spans.set(project.name, span);
  }

  onTestModuleEnd({ project }: TestModule): void {
    const span = this.#spans.get(project.name);
    if (span !== undefined) span.end = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map(rowOf);
    if (process.env['TIME_BY_FILE'] !== undefined) writeFileSync(process.env['TIME_BY_FILE'], JSON.stringify(rows));
    if (rows.length < 2) return;
    const projects = [...this.#spans].map(([name, { begin, end }]) => {
      const files = rows.filter(({ project }) => project === name);
      const processorS = files.reduce((total, row) => total + row.processorS, 0);
      return { name: `${name}: ${files.length} files`, wallS: (end - begin) / 1_000, processorS };
    });
    const slowest = rows.toSorted((a, b) => b.processorS - a.processorS || b.wallS - a.wallS).slice(0, SHOWN);
    print('Time by project', projects);
    print(
      'Slowest files',
      slowest.map((row) => ({ ...row, name: `${row.file} (${row.project})` })),
    );
  }
}

function rowOf(module: TestModule): Row {
  const { took } = module.meta();
  return {
    project: module.project.name,
    file: module.relativeModuleId,
    wallS: (took?.wallMs ?? module.diagnostic().duration) / 1_000,
    processorS: (took?.processorMs ?? 0) / 1_000,
  };
}

function print(title: string, rows: readonly { name: string; wallS: number; processorS: number }[]): void {
  const line = (name: string, wall: string, processor: string): string =>
    ` ${name.padEnd(72)}${wall.padStart(9)}${processor.padStart(14)}`;
  console.log(`\n${line(title, 'wall s', 'processor s')}`);
  for (const { name, wallS, processorS } of rows) console.log(line(name, wallS.toFixed(1), processorS.toFixed(1)));
}

import { readFile, rename, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/** In the models folder. */
const FILE = 'measured.json';

const speed = z.object({
  /** Of the package: another version is another speed. */
  sha256: z.string(),
  threads: z.number(),
  provider: z.string(),
  /** Null: it could not be loaded. */
  realTimeFactor: z.number().positive().nullable(),
  /** Why it could not be loaded. */
  problem: z.string().nullable(),
});
export type MeasuredSpeed = z.output<typeof speed>;

const measured = z.object({ machine: z.string(), speeds: z.record(z.string(), speed) });

/**
 * What was measured on this machine before, by package. A file of another machine, or a damaged one, counts as none.
 */
export async function readSpeeds(modelsDir: string): Promise<Map<string, MeasuredSpeed>> {
  try {
    const known = measured.parse(JSON.parse(await readFile(join(modelsDir, FILE), 'utf8')));
    return new Map(known.machine === machine() ? Object.entries(known.speeds) : []);
  } catch {
    return new Map();
  }
}

export async function writeSpeeds(modelsDir: string, speeds: ReadonlyMap<string, MeasuredSpeed>): Promise<void> {
  const content = { machine: machine(), speeds: Object.fromEntries(speeds) };
  const path = join(modelsDir, FILE);
  await writeFile(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`);
  await rename(`${path}.new`, path);
}

function machine(): string {
  return `${cpus()[0]?.model ?? 'unknown'} × ${availableParallelism()}`;
}

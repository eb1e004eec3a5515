import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { ModelPackage } from './model-package.ts';

/** Beside the files of an unpacked package: which they are. Written last. */
export const RECORD = 'parley-package.json';

const record = z.object({
  sha256: z.string(),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })).max(10_000),
});
export type PackageRecord = z.output<typeof record>;

/** Where the files of a package lie. */
export function packageFolder(modelsDir: string, { archive, id }: ModelPackage): string {
  return archive === null ? modelsDir : join(modelsDir, id);
}

/** The file of a package that is a single one. */
export function packageFile(modelsDir: string, { engine, id }: ModelPackage): string {
  if (engine.type !== 'file') throw new Error(`The package ${id} is not a single file.`);
  return join(modelsDir, engine.path);
}

/** `damaged`: files are missing or are others; fetching it again helps. */
export type PackageState = 'absent' | 'installed' | 'damaged';

/**
 * Whether the files are there, by their sizes: quick enough for each start.
 * @param content compares the checksums too, which takes a second for 500 MB.
 */
export async function packageState(modelsDir: string, known: ModelPackage, content = false): Promise<PackageState> {
  if (known.archive === null) {
    const file = { path: packageFile(modelsDir, known), bytes: known.bytes, sha256: known.sha256 };
    const size = await sizeOf(file.path);
    if (size === null) return 'absent';
    return (await isIntact(file, content)) ? 'installed' : 'damaged';
  }
  const folder = packageFolder(modelsDir, known);
  const found = await readRecord(folder);
  if (found === null) return (await sizeOf(folder)) === null ? 'absent' : 'damaged';
  // Another version than the one that is known now.
  if (found.sha256 !== known.sha256) return 'damaged';
  for (const file of found.files)
    if (!(await isIntact({ ...file, path: join(folder, file.path) }, content))) return 'damaged';
  return 'installed';
}

export async function installedPackages(modelsDir: string, known: readonly ModelPackage[]): Promise<ModelPackage[]> {
  const states = await Promise.all(known.map((each) => packageState(modelsDir, each)));
  return known.filter((_, index) => states[index] === 'installed');
}

async function readRecord(folder: string): Promise<PackageRecord | null> {
  try {
    return record.parse(JSON.parse(await readFile(join(folder, RECORD), 'utf8')));
  } catch {
    return null;
  }
}

async function isIntact(file: { path: string; bytes: number; sha256: string }, content: boolean): Promise<boolean> {
  if ((await sizeOf(file.path)) !== file.bytes) return false;
  return !content || (await sha256Of(file.path)) === file.sha256;
}

/** @returns lower-case hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** @returns null when there is none. */
export async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    () => null,
  );
}

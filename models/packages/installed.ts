import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { ModelPackage } from './model-package.ts';
import { sourceIdentity } from './package-source.ts';

/** Beside the files of an unpacked package: which they are. Written last. */
export const RECORD = 'parley-package.json';

const record = z.object({
  /** Of the source: {@link sourceIdentity}. */
  sha256: z.string(),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })).max(10_000),
});
export type PackageRecord = z.output<typeof record>;

/** Where the files of a package lie. */
export function packageFolder(modelsDir: string, { engine, id }: ModelPackage): string {
  return engine.type === 'file' ? modelsDir : join(modelsDir, id);
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
  if (known.engine.type === 'file') return fileState(modelsDir, known, content);
  const folder = packageFolder(modelsDir, known);
  const found = await readRecord(folder);
  if (found === null) return (await sizeOf(folder)) === null ? 'absent' : 'damaged';
  // Another version than the ones that are known now.
  if (!known.sources.some((source) => sourceIdentity(source) === found.sha256)) return 'damaged';
  for (const file of found.files)
    if (!(await isIntact({ ...file, path: join(folder, file.path) }, content))) return 'damaged';
  return 'installed';
}

async function fileState(modelsDir: string, known: ModelPackage, content: boolean): Promise<PackageState> {
  const path = packageFile(modelsDir, known);
  if ((await sizeOf(path)) === null) return 'absent';
  const states = await Promise.all(singleFiles(known).map((file) => isIntact({ ...file, path }, content)));
  return states.includes(true) ? 'installed' : 'damaged';
}

/** What a package of one file may be: the same from each source, but for mistakes in a list of one's own. */
function singleFiles({ sources, engine }: ModelPackage): { readonly bytes: number; readonly sha256: string }[] {
  return sources.flatMap((source): { readonly bytes: number; readonly sha256: string }[] =>
    source.type === 'publisher'
      ? [source]
      : source.members.filter(({ to }) => engine.type === 'file' && to === engine.path),
  );
}

/** @returns which source a package that is here came from, as {@link sourceIdentity}; null for a package of one file. */
export async function installedIdentity(modelsDir: string, known: ModelPackage): Promise<string | null> {
  return (await readRecord(packageFolder(modelsDir, known)))?.sha256 ?? null;
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

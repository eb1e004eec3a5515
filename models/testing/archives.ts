import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pack, type Headers } from 'tar-stream';

export type ArchiveEntry = Headers & { readonly content?: string | Buffer };

/** @returns a `.tar.bz2` with these entries, hostile ones too; the same bytes each time. */
export async function tarBz2(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { content = '', ...header } of entries) tar.entry({ mtime: new Date(0), ...header }, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return execFileSync('bzip2', ['--compress', '--stdout'], { input: Buffer.concat(chunks), maxBuffer: 1e9 });
}

/** @returns the files of a folder as entries below `root`. */
export function filesBelow(folder: string, root: string): ArchiveEntry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ name: `${root}/${relative(folder, path)}`, content: readFileSync(path) }));
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandError } from './api.ts';

/** @throws CommandError naming the file that is missing or wrong. */
export async function parsed<T extends z.ZodType>(file: string, schema: T): Promise<z.infer<T>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`${file} cannot be read.`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is not JSON.`);
  }
  const result = schema.safeParse(value);
  if (!result.success) throw new CommandError(`${file}: ${z.prettifyError(result.error)}`);
  return result.data;
}

export function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** @returns a file name made of a name, which is taken then. @param ending such as `.json` */
export function freeName(name: string, ending: string, taken: Set<string>): string {
  const base =
    name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 60) || 'unnamed';
  for (let number = 1; ; number++) {
    const free = number === 1 ? `${base}${ending}` : `${base}-${number}${ending}`;
    if (taken.has(free)) continue;
    taken.add(free);
    return free;
  }
}

/** Removes JSON files that are no more meant. */
export async function removeOthers(folder: string, kept: ReadonlySet<string>): Promise<void> {
  for (const file of await readdir(folder).catch(() => []))
    if (file.endsWith('.json') && !kept.has(file)) await rm(join(folder, file));
}

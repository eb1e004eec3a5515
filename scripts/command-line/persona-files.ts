import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { updatePersona } from '../../control/api/personas/persona-schema.ts';
import { createTest } from '../../control/api/persona-tests/test-schema.ts';
import { CommandError } from './api.ts';

/** A persona as files: fields in `persona.json`, the prompt in `prompt.md`, a file for each test. */
export interface PersonaFiles {
  readonly content: z.infer<typeof updatePersona>;
  readonly tests: readonly z.infer<typeof createTest>[];
}

const FIELDS = 'persona.json';
const PROMPT = 'prompt.md';
const TESTS = 'tests';

/** Tests that are no more lose their files. */
export async function writeFiles(folder: string, { content, tests }: PersonaFiles): Promise<void> {
  const { systemPrompt = '', ...fields } = content;
  await mkdir(join(folder, TESTS), { recursive: true });
  await writeFile(join(folder, FIELDS), jsonOf(fields));
  await writeFile(join(folder, PROMPT), `${systemPrompt}\n`);
  const names = new Map<string, z.infer<typeof createTest>>();
  for (const test of tests) names.set(freeName(test.name, names), test);
  for (const [name, test] of names) await writeFile(join(folder, TESTS, name), jsonOf(test));
  for (const file of await readdir(join(folder, TESTS)))
    if (file.endsWith('.json') && !names.has(file)) await rm(join(folder, TESTS, file));
}

/** @throws CommandError naming the file that is missing or wrong. */
export async function readFiles(folder: string): Promise<PersonaFiles> {
  const fields = await parsed(join(folder, FIELDS), updatePersona);
  const prompt = await readFile(join(folder, PROMPT), 'utf8').catch(() => null);
  const files = (await readdir(join(folder, TESTS)).catch(() => []))
    .filter((file) => file.endsWith('.json'))
    .toSorted();
  const tests = await Promise.all(files.map((file) => parsed(join(folder, TESTS, file), createTest)));
  const names = tests.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new CommandError(`Two tests are called "${twice}".`);
  return {
    content: { ...fields, ...(prompt !== null && { systemPrompt: prompt.replace(/\n$/, '') }) },
    tests,
  };
}

async function parsed<T extends z.ZodType>(file: string, schema: T): Promise<z.infer<T>> {
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

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const base =
    name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 60) || 'test';
  for (let number = 1; ; number++) {
    const free = number === 1 ? `${base}.json` : `${base}-${number}.json`;
    if (!taken.has(free)) return free;
  }
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { updatePersona } from '../../control/api/personas/persona-schema.ts';
import { createTest } from '../../control/api/persona-tests/test-schema.ts';
import { toolName } from '../../control/api/tools/tool-schema.ts';
import { CommandError } from './api.ts';
import { freeName, jsonOf, parsed, removeOthers } from './json-files.ts';
import { readStock, type StockFiles, writeStock } from './stock-files.ts';

/** Of a persona, its tools by their names: ids of one service mean nothing to another. */
const personaFile = updatePersona.extend({ toolNames: z.array(toolName).optional() });

/** A persona as files: fields in `persona.json`, the prompt in `prompt.md`, a file for each test and tool, and its documents. */
export interface PersonaFiles extends StockFiles {
  readonly content: z.infer<typeof personaFile>;
  readonly tests: readonly z.infer<typeof createTest>[];
}

const FIELDS = 'persona.json';
const PROMPT = 'prompt.md';
const TESTS = 'tests';

/** What is no more loses its files. */
export async function writeFiles(folder: string, { content, tests, ...stock }: PersonaFiles): Promise<void> {
  const { systemPrompt = '', ...fields } = content;
  await mkdir(join(folder, TESTS), { recursive: true });
  await writeFile(join(folder, FIELDS), jsonOf(fields));
  await writeFile(join(folder, PROMPT), `${systemPrompt}\n`);
  const taken = new Set<string>();
  for (const test of tests) await writeFile(join(folder, TESTS, freeName(test.name, '.json', taken)), jsonOf(test));
  await removeOthers(join(folder, TESTS), taken);
  await writeStock(folder, stock);
}

/** @throws CommandError naming the file that is missing or wrong. */
export async function readFiles(folder: string): Promise<PersonaFiles> {
  const fields = await parsed(join(folder, FIELDS), personaFile);
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
    ...(await readStock(folder)),
  };
}

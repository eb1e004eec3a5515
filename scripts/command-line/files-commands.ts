import { isDeepStrictEqual } from 'node:util';
import type { PersonaContent } from '../../control/api/personas/persona-schema.ts';
import type { TestResponse } from '../../control/api/persona-tests/test-schema.ts';
import { type Api, personaNamed } from './api.ts';
import { type PersonaFiles, readFiles, writeFiles } from './persona-files.ts';
import { pushStock, stockDifferences } from './push-stock.ts';
import { idsOf, namesOf, type Stock, stockOf } from './stock.ts';

interface Stored {
  readonly id: string;
  /** Tools by their names, as in files. */
  readonly live: Live;
  readonly tests: readonly TestResponse[];
  readonly stock: Stock;
}

type Live = Omit<PersonaContent, 'toolIds'> & Pick<PersonaFiles['content'], 'toolIds' | 'toolNames'>;

type Print = (line: string) => void;

/** Writes what is live into a folder, with its tools, its knowledge and its tests. */
export async function pull(api: Api, persona: string, folder: string, print: Print): Promise<void> {
  const { live, tests, stock } = await stored(api, persona);
  const { tools, groups } = stock;
  await writeFiles(folder, { content: live, tests: tests.map(inputOf), tools, groups });
  const documents = groups.reduce((sum, group) => sum + group.documents.size, 0);
  print(`${folder} has what is live: ${tools.length} tools, ${documents} documents, ${tests.length} tests.`);
}

/** Says what a push would change. @returns whether there is a difference. */
export async function diff(api: Api, persona: string, folder: string, print: Print): Promise<boolean> {
  const files = await readFiles(folder);
  const lines = differences(await stored(api, persona, files), files);
  for (const line of lines) print(line);
  if (lines.length === 0) print('Nothing differs.');
  return lines.length > 0;
}

/**
 * Makes the draft, the tests, tools and knowledge what the folder has; what is equal is left alone. Tools and knowledge
 * have no draft: others may use them, too.
 * @param publishAs the note of a version that is published at once. Null: it stays a draft.
 */
export async function push(
  api: Api,
  persona: string,
  folder: string,
  publishAs: string | null,
  print: Print,
): Promise<void> {
  const files = await readFiles(folder);
  const there = await stored(api, persona, files);
  for (const line of differences(there, files)) print(line);
  const tools = await pushStock(api, there.stock, files);
  const { toolNames, ...changes } = Object.fromEntries(
    Object.entries(files.content).filter(([field, value]) => !isSame(there.live, field, value)),
  ) as PersonaFiles['content'];
  if (toolNames !== undefined) changes.toolIds = idsOf(tools, toolNames);
  await pushTests(api, there, files);
  if (Object.keys(changes).length === 0) return print('The persona is as it is live.');
  await api.send('PUT', `/v1/personas/${there.id}/draft`, { changes });
  if (publishAs === null) return print('The draft is saved. Publish it when its tests pass.');
  const { version } = await api.send<{ version: number }>('POST', `/v1/personas/${there.id}/publish`, {
    note: publishAs,
  });
  print(`Published as version ${version}.`);
}

async function pushTests(api: Api, { id, tests }: Stored, files: PersonaFiles): Promise<void> {
  const path = `/v1/personas/${id}/tests`;
  for (const test of files.tests) {
    const before = tests.find(({ name }) => name === test.name);
    if (before === undefined) await api.send('POST', path, test);
    else if (!isDeepStrictEqual(inputOf(before), test)) await api.send('PUT', `${path}/${before.id}`, test);
  }
  for (const { id: testId, name } of tests)
    if (!files.tests.some((test) => test.name === name)) await api.send('DELETE', `${path}/${testId}`);
}

/** @param files with which it will be compared. */
async function stored(api: Api, persona: string, files?: PersonaFiles): Promise<Stored> {
  const id = await personaNamed(api, persona);
  const [{ live }, { data }] = await Promise.all([
    api.send<{ live: PersonaContent }>('GET', `/v1/personas/${id}/draft`),
    api.send<{ data: readonly TestResponse[] }>('GET', `/v1/personas/${id}/tests`),
  ]);
  const groups = files?.groups.map(({ name }) => name);
  const stock = await stockOf(api, live.toolIds ?? [], groups);
  const { toolIds = [], ...rest } = live;
  const toolNames = namesOf(stock.allTools, toolIds);
  // A folder of before has ids.
  const tools = files?.content.toolIds === undefined ? { toolNames } : { toolIds };
  return { id, live: { ...rest, ...tools }, tests: data, stock };
}

function differences({ live, tests, stock }: Stored, files: PersonaFiles): string[] {
  const text = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
  return [
    ...Object.entries(files.content)
      .filter(([field, value]) => !isSame(live, field, value))
      .flatMap(([field, value]) => [`${field}:`, `  - ${text(live[field as keyof Live])}`, `  + ${text(value)}`]),
    ...files.tests.flatMap((test) => {
      const before = tests.find(({ name }) => name === test.name);
      if (before === undefined) return [`+ test: ${test.name}`];
      return isDeepStrictEqual(inputOf(before), test) ? [] : [`~ test: ${test.name}`];
    }),
    ...tests.filter(({ name }) => !files.tests.some((test) => test.name === name)).map(({ name }) => `- test: ${name}`),
    ...stockDifferences(stock, files),
  ];
}

function isSame(live: Live, field: string, value: unknown): boolean {
  return isDeepStrictEqual(live[field as keyof Live], value);
}

function inputOf({ name, user, audio, mocks, checks, repeat, passRate }: TestResponse) {
  return { name, user, ...(audio !== undefined && { audio }), mocks, checks, repeat, passRate };
}

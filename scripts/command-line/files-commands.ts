import { isDeepStrictEqual } from 'node:util';
import type { PersonaContent } from '../../control/api/personas/persona-schema.ts';
import type { TestResponse } from '../../control/api/persona-tests/test-schema.ts';
import { type Api, personaNamed } from './api.ts';
import { type PersonaFiles, readFiles, writeFiles } from './persona-files.ts';

interface Stored {
  readonly id: string;
  readonly live: PersonaContent;
  readonly tests: readonly TestResponse[];
}

/** Writes what is live, and the tests, into a folder. */
export async function pull(api: Api, persona: string, folder: string, print: (line: string) => void): Promise<void> {
  const { live, tests } = await stored(api, persona);
  await writeFiles(folder, { content: live, tests: tests.map(inputOf) });
  print(`${folder} has what is live, and ${tests.length} tests.`);
}

/** Says what a push would change. @returns whether there is a difference. */
export async function diff(api: Api, persona: string, folder: string, print: (line: string) => void): Promise<boolean> {
  const lines = differences(await stored(api, persona), await readFiles(folder));
  for (const line of lines) print(line);
  if (lines.length === 0) print('Nothing differs.');
  return lines.length > 0;
}

/**
 * Makes the draft and the tests what the folder has; what is equal is left alone.
 * @param publishAs the note of a version that is published at once. Null: it stays a draft.
 */
export async function push(
  api: Api,
  persona: string,
  folder: string,
  publishAs: string | null,
  print: (line: string) => void,
): Promise<void> {
  const [there, files] = [await stored(api, persona), await readFiles(folder)];
  for (const line of differences(there, files)) print(line);
  const changes = Object.fromEntries(
    Object.entries(files.content).filter(([field, value]) => !isSame(there.live, field, value)),
  );
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

async function stored(api: Api, persona: string): Promise<Stored> {
  const id = await personaNamed(api, persona);
  const [{ live }, { data }] = await Promise.all([
    api.send<{ live: PersonaContent }>('GET', `/v1/personas/${id}/draft`),
    api.send<{ data: readonly TestResponse[] }>('GET', `/v1/personas/${id}/tests`),
  ]);
  return { id, live, tests: data };
}

function differences({ live, tests }: Stored, files: PersonaFiles): string[] {
  const text = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
  return [
    ...Object.entries(files.content)
      .filter(([field, value]) => !isSame(live, field, value))
      .flatMap(([field, value]) => [
        `${field}:`,
        `  - ${text(live[field as keyof PersonaContent])}`,
        `  + ${text(value)}`,
      ]),
    ...files.tests.flatMap((test) => {
      const before = tests.find(({ name }) => name === test.name);
      if (before === undefined) return [`+ test: ${test.name}`];
      return isDeepStrictEqual(inputOf(before), test) ? [] : [`~ test: ${test.name}`];
    }),
    ...tests.filter(({ name }) => !files.tests.some((test) => test.name === name)).map(({ name }) => `- test: ${name}`),
  ];
}

function isSame(live: PersonaContent, field: string, value: unknown): boolean {
  return isDeepStrictEqual(live[field as keyof PersonaContent], value);
}

function inputOf({ name, user, mocks, checks, repeat, passRate }: TestResponse) {
  return { name, user, mocks, checks, repeat, passRate };
}

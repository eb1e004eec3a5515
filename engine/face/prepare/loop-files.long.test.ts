import { fork, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LOOP_NAMES } from './loop-files.ts';

const FINDER = fileURLToPath(new URL('../testing/loop-finder.ts', import.meta.url));
const ALL = LOOP_NAMES.map(({ mood, variation }) => `${mood} ${variation}`).toSorted();

let folder: string;
const finders: ChildProcess[] = [];
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'parley-loops-'))));
afterEach(() => {
  for (const finder of finders.splice(0)) finder.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function finder(how = 'encodes'): ChildProcess {
  const child = fork(FINDER, [folder, how]);
  finders.push(child);
  return child;
}

/** @returns the loops that a process has, each with how. */
async function foundBy(child: ChildProcess): Promise<string[]> {
  for await (const [message] of on(child, 'message')) if (Array.isArray(message)) return message.toSorted();
  return [];
}

/** In the order in which they were begun. */
const encoded = (): string[] => readFileSync(join(folder, 'encoded.txt'), 'utf8').trim().split('\n');

/** Each engine process of a service encoded all 27 loops of a face, and kept a copy of its own. */
it('processes of a machine encode each loop once, and all have it from its file', async () => {
  const found = await Promise.all([finder(), finder(), finder()].map(foundBy));
  for (const loops of found) expect(loops).toEqual(ALL.map((name) => `${name} string`));
  expect(encoded().toSorted()).toEqual(ALL);
  expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
});

it('a process that is killed while it encodes gives its loop free', async () => {
  const killed = finder('hangs');
  await once(killed, 'message');
  const other = finder();
  const found = foundBy(other);
  // It has begun with another loop, or is at the next ones already: the first one is locked.
  await once(other, 'message');
  const [locked, ...others] = encoded();
  expect(others).not.toContain(locked);
  killed.kill('SIGKILL');
  expect(await found).toHaveLength(ALL.length);
  expect(encoded().toSorted()).toEqual([...ALL, locked].toSorted());
});

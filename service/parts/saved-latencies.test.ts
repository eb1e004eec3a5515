import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import pino from 'pino';
import { LatencyTable } from '../../models/latency-table.ts';
import { saveLatencies } from './saved-latencies.ts';

const DAY_MS = 86_400_000;
const log = pino({ level: 'silent' });
let folder: string;
let now = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-latencies-'));
  now = 10 * DAY_MS;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A start of the service, and its end. @returns the providers that it began with. */
async function run(during: (table: LatencyTable) => void = () => {}): Promise<string[]> {
  const table = new LatencyTable(() => now);
  const kept = await saveLatencies(folder, table, log, () => now);
  const begun = table.rows().map(({ provider, p50Ms }) => `${provider} ${p50Ms}`);
  during(table);
  await kept.close();
  return begun;
}

it('are there after the next start, until they are a day old', async () => {
  expect(await run((table) => table.add('token', 'a', 540))).toEqual([]);
  now += DAY_MS / 2;
  expect(await run((table) => table.add('audio', 'b', 90))).toEqual(['a 540']);
  now += DAY_MS / 2 + 1;
  expect(await run()).toEqual(['b 90']);
  now += DAY_MS;
  expect(await run()).toEqual([]);
});

it.each(['nonsense', '[{"result":"smell","provider":"a","times":[1],"lastAt":1}]', '{}'])(
  'are none in a damaged file: %s',
  async (text) => {
    writeFileSync(join(folder, 'latencies.json'), text);
    expect(await run((table) => table.add('token', 'a', 1))).toEqual([]);
    expect(await run()).toEqual(['a 1']);
  },
);

it('that cannot be saved stop nothing', async () => {
  rmSync(folder, { recursive: true });
  expect(await run((table) => table.add('token', 'a', 1))).toEqual([]);
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { VERSION } from '../version.ts';
import { calibrate } from './calibrate.ts';

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-calibrate-'));
});
afterEach(async () => await rm(dataDir, { recursive: true }));

const path = (): string => join(dataDir, 'capacity.json');
const keepFor = async (processor: string, frameMs: number): Promise<void> =>
  await writeFile(path(), JSON.stringify({ processor, software: VERSION, frameMs }));
const here = cpus()[0]?.model ?? 'unknown';
const took = (frameMs: number | null) => () => Promise.resolve(frameMs);

it('measures this machine', async () => {
  expect(await calibrate(dataDir)).toBeGreaterThan(0);
  expect(JSON.parse(await readFile(path(), 'utf8'))).toMatchObject({ processor: here });
});

// A service that was started while the machine was busy offered half of its places from then on.
it('learns at a quiet start that the machine is quicker than it was at a busy one', async () => {
  expect(await calibrate(dataDir, took(0.62))).toBe(0.62);
  expect(await calibrate(dataDir, took(0.34))).toBe(0.34);
  expect(await calibrate(dataDir, took(0.62))).toBe(0.34);
});

it('forgets what another processor did', async () => {
  await keepFor(`not ${here}`, 0.1);
  expect(await calibrate(dataDir, took(0.5))).toBe(0.5);
});

it('plans with an earlier measurement when there is no new one', async () => {
  expect(await calibrate(dataDir, took(null))).toBeNull();
  await keepFor(here, 0.4);
  expect(await calibrate(dataDir, took(null))).toBe(0.4);
});

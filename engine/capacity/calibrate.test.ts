import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { VERSION } from '../../runtime/version.ts';
import { calibrate, type FrameTimes } from './calibrate.ts';

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-calibrate-'));
});
afterEach(async () => await rm(dataDir, { recursive: true }));

const path = (): string => join(dataDir, 'capacity.json');
const here = cpus()[0]?.model ?? 'unknown';
const times = (full: number, half: number): FrameTimes => ({ 'full pixel': full, 'half pixel': half });
const keepFor = async (processor: string, frameMs: FrameTimes): Promise<void> =>
  await writeFile(path(), JSON.stringify({ processor, software: VERSION, frameMs }));
const took = (full: number, half: number) => () => Promise.resolve(times(full, half));
const nothing = () => Promise.resolve(null);

it('measures this machine', async () => {
  expect((await calibrate(dataDir))?.frameMs).toBeGreaterThan(0);
  expect(JSON.parse(await readFile(path(), 'utf8'))).toMatchObject({ processor: here });
});

// A service that was started while the machine was busy offered half of its places from then on.
it('learns at a quiet start that the machine is quicker than it was at a busy one', async () => {
  expect(await calibrate(dataDir, took(0.62, 0.9))).toMatchObject({ frameMs: 0.62 });
  expect(await calibrate(dataDir, took(0.34, 0.5))).toMatchObject({ frameMs: 0.34 });
  expect(await calibrate(dataDir, took(0.62, 0.9))).toMatchObject({ frameMs: 0.34 });
});

// On some processors, encoders that know no half pixels wait for pages that do not exist.
it('follows motion by half pixels where that takes no longer', async () => {
  expect(await calibrate(dataDir, took(0.34, 0.5))).toEqual({ motionPrecision: 'full pixel', frameMs: 0.34 });
  await rm(path());
  expect(await calibrate(dataDir, took(1.54, 1.44))).toEqual({ motionPrecision: 'half pixel', frameMs: 1.44 });
});

it('forgets what another processor did', async () => {
  await keepFor(`not ${here}`, times(0.1, 0.1));
  expect(await calibrate(dataDir, took(0.5, 0.7))).toMatchObject({ frameMs: 0.5 });
});

it('plans with an earlier measurement when there is no new one', async () => {
  expect(await calibrate(dataDir, nothing)).toBeNull();
  await keepFor(here, times(0.4, 0.6));
  expect(await calibrate(dataDir, nothing)).toMatchObject({ frameMs: 0.4 });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filterAll, powerDb, toSamples } from '../testing/noise-measures.ts';
import { spoken, whiteNoise } from '../testing/sounds.ts';
import { loadGtcrn } from './gtcrn.ts';
import { openNoiseFilters } from './registry.ts';

/** The model is fetched by whoever wants it, so these tests run where its path is given. */
const path = process.env['PARLEY_TEST_GTCRN_MODEL'];
if (path === undefined)
  process.stderr.write('PARLEY_TEST_GTCRN_MODEL is not set: the tests with the GTCRN model are skipped.\n');

describe.skipIf(path === undefined)('GTCRN', () => {
  const gtcrn = path === undefined ? null : loadGtcrn(path);
  const filtered = (samples: Float32Array, strength: number) =>
    filterAll((gtcrn as NonNullable<typeof gtcrn>).createFilter(), samples, strength);
  const noise = toSamples(whiteNoise(16_000 * 2, 0.1));
  const settled = (samples: Float32Array) => samples.subarray(16_000);

  test('leaves every sample alone at strength 0', () => {
    expect(filtered(noise, 0)).toEqual(noise);
  });

  test('takes steady noise away at full strength', () => {
    expect(powerDb(settled(filtered(noise, 1)))).toBeLessThan(powerDb(settled(noise)) - 20);
  });

  test('takes no more away than the strength allows', () => {
    const change = powerDb(settled(filtered(noise, 0.25))) - powerDb(settled(noise));
    expect(change).toBeGreaterThan(-10.5);
    expect(change).toBeLessThan(-8);
  });

  test('answers with the speech one hop late', () => {
    const speech = toSamples(spoken('The quick brown fox jumps over the lazy dog.'));
    const output = filtered(speech, 1);
    const difference = Float32Array.from(output.subarray(256), (x, i) => x - (speech[i] as number));
    expect(powerDb(difference)).toBeLessThan(powerDb(speech) - 8);
  });
});

describe('a GTCRN file that is none', () => {
  test.each(['', 'not a model'])('is refused (%j)', (content) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-model-'));
    try {
      writeFileSync(join(folder, 'gtcrn_simple.onnx'), content);
      expect(() => openNoiseFilters({ filter: 'gtcrn', modelsDir: folder })).toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is refused when it is absent', () => {
    expect(() => openNoiseFilters({ filter: 'gtcrn', modelsDir: '/nowhere' })).toThrow('/nowhere/gtcrn_simple.onnx');
  });
});

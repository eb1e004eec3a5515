import { describe, expect, test } from 'vitest';
import type { NoiseFilter } from '../ports.ts';
import { spoken, tripled, whiteNoise } from '../testing/sounds.ts';
import { loadRnnoise } from './rnnoise.ts';
import { filterAll, powerDb, toSamples } from '../testing/noise-measures.ts';

const rnnoise = loadRnnoise();

function withFilter<T>(use: (filter: NoiseFilter) => T): T {
  const filter = rnnoise.createFilter();
  try {
    return use(filter);
  } finally {
    filter.close();
  }
}

/** Hiss up to 8 kHz. On noise that is flat up to 24 kHz this filter takes away 1–10 dB only. */
const noise = toSamples(tripled(whiteNoise(16_000 * 3, 0.1)));
/** Past the second in which the filter learns the noise. */
const settled = (samples: Float32Array) => samples.subarray(48_000);

describe('RNNoise', () => {
  test('leaves every sample alone at strength 0', () => {
    expect(withFilter((filter) => filterAll(filter, noise, 0))).toEqual(noise);
  });

  test('takes steady noise away at full strength', () => {
    const output = withFilter((filter) => filterAll(filter, noise, 1));
    expect(powerDb(settled(output))).toBeLessThan(powerDb(settled(noise)) - 20);
  });

  test('takes no more away than the strength allows', () => {
    const output = withFilter((filter) => filterAll(filter, noise, 0.25));
    // 0.25 of 40 dB.
    expect(powerDb(settled(output)) - powerDb(settled(noise))).toBeGreaterThan(-10.5);
    expect(powerDb(settled(output)) - powerDb(settled(noise))).toBeLessThan(-8);
  });

  test('keeps speech', () => {
    const speech = toSamples(tripled(spoken('The quick brown fox jumps over the lazy dog.')));
    const output = withFilter((filter) => filterAll(filter, speech, 1));
    expect(Math.abs(powerDb(output) - powerDb(speech))).toBeLessThan(3);
  });

  test('mixes dry sound back at the delay of the filtered one', () => {
    const speech = toSamples(tripled(spoken('The quick brown fox jumps over the lazy dog.')));
    const output = withFilter((filter) => filterAll(filter, speech, 0.001));
    const difference = Float32Array.from(output.subarray(480), (x, i) => x - (speech[i] as number));
    expect(powerDb(difference)).toBeLessThan(powerDb(speech) - 30);
  });

  test('gives each session a memory of its own', () => {
    const alone = withFilter((filter) => filterAll(filter, noise, 1));
    const beside = withFilter((other) => {
      filterAll(other, toSamples(tripled(spoken('Somebody else.'))), 1);
      return withFilter((filter) => filterAll(filter, noise, 1));
    });
    expect(beside).toEqual(alone);
  });

  test('serves many sessions, one after the other and at once, without running out of memory', () => {
    const filters = Array.from({ length: 200 }, () => rnnoise.createFilter());
    for (const filter of filters) filter.process(noise.slice(0, 480), 1);
    for (const filter of filters) filter.close();
    expect(withFilter((filter) => filterAll(filter, noise, 1))).toEqual(
      withFilter((filter) => filterAll(filter, noise, 1)),
    );
  });

  test('fails with the name of the missing file', () => {
    expect(() => loadRnnoise('/nowhere/filter.wasm')).toThrow('/nowhere/filter.wasm');
  });
});

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MODEL_FILES } from './manifest.ts';

describe('the manifest of model files', () => {
  test('names each file once', () => {
    expect(new Set(MODEL_FILES.map(({ fileName }) => fileName)).size).toBe(MODEL_FILES.length);
  });

  test.each(MODEL_FILES)('$fileName is fetched over https under its own name', ({ url, fileName, sha256 }) => {
    expect(new URL(url).protocol).toBe('https:');
    expect(new URL(url).pathname.endsWith(`/${fileName}`)).toBe(true);
    if (sha256 !== null) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  const gtcrn = process.env['PARLEY_TEST_GTCRN_MODEL'];
  test.skipIf(gtcrn === undefined)('tells the checksum and size of the noise model that the tests use', () => {
    const file = readFileSync(gtcrn as string);
    const entry = MODEL_FILES.find(({ purpose }) => purpose === 'noise');
    expect(entry?.sha256).toBe(createHash('sha256').update(file).digest('hex'));
    expect(entry?.bytes).toBe(file.length);
  });
});

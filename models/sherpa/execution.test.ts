import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { executionProvider, threadsFor } from './execution.ts';

it('leaves half of the cores to everything else', () => {
  expect([1, 2, 4, 8, 64].map(threadsFor)).toEqual([1, 1, 2, 4, 4]);
});

it('uses CUDA where the library for it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cuda-'));
  expect(executionProvider(folder)).toBe('cpu');
  writeFileSync(join(folder, 'libonnxruntime_providers_cuda.so'), '');
  expect(executionProvider(folder)).toBe('cuda');
  rmSync(folder, { recursive: true });
  expect(executionProvider(null)).toBe('cpu');
  // What npm installs.
  expect(executionProvider()).toBe('cpu');
});

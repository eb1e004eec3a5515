import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { processCores } from '../../runtime/process-share.ts';

/** More threads than this gain little on models of this size. */
const MAX_THREADS = 4;

/**
 * Threads of one run: half of the cores, so that the rest goes on.
 * @param cores that this process plans with.
 */
export function threadsFor(cores = processCores()): number {
  return Math.max(1, Math.min(MAX_THREADS, Math.floor(cores / 2)));
}

/**
 * Where models are run: `cuda` when the library for it lies beside that of the package. npm's is built for the
 * processor only; an operator can put a build with CUDA in its place.
 */
export function executionProvider(folder = libraryFolder()): 'cpu' | 'cuda' {
  return folder !== null && existsSync(join(folder, 'libonnxruntime_providers_cuda.so')) ? 'cuda' : 'cpu';
}

function libraryFolder(): string | null {
  try {
    const adapter = createRequire(import.meta.url).resolve('sherpa-onnx-node');
    return dirname(createRequire(adapter).resolve(`sherpa-onnx-${process.platform}-${process.arch}/package.json`));
  } catch {
    return null;
  }
}

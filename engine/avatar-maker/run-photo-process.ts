import { fileURLToPath } from 'node:url';
import { type Confinement, ConfinedProcessError, runConfined } from '../../runtime/confined-process.ts';
import { isPhotoProblem, type PhotoProblem } from './unsuitable-photo.ts';

/**
 * Loading takes about a second, a photo two to four more on a slow core; one of 50 megapixels is done within 512 MB.
 */
const LIMITS: Confinement = { heapMb: 512, memoryMb: 768, fileMb: 64, cpuSeconds: 60, seconds: 60 };
const ENTRY = fileURLToPath(new URL('photo-process.ts', import.meta.url));

/**
 * Looks at the upload in a folder, in a confined process that is gone when this resolves.
 * @returns what is wrong with the image, or null: the folder then holds photo, face and crops.
 * @throws ConfinedProcessError when the process crashed, took too much or was stopped by the signal.
 */
export async function runPhotoProcess(folder: string, signal: AbortSignal): Promise<PhotoProblem | null> {
  const answer = (await runConfined({ entry: ENTRY, args: [folder], limits: LIMITS, signal })) as {
    problem?: unknown;
  } | null;
  const problem = answer?.problem;
  if (problem === null || isPhotoProblem(problem)) return problem;
  throw new ConfinedProcessError('crash', 'The process gave no answer that is known.');
}

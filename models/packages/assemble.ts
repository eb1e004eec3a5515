import { inProcess } from '../../runtime/in-process.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import { ArchiveError } from './archive-error.ts';
import type { AssembleRequest, AssembleResult } from './assemble-process.ts';
import { ConversionError } from './convert/conversion-error.ts';
import type { UnpackedFile } from './unpack.ts';

/** The longest takes 15 s on an idle machine, and beside two or three busy processes for each core some minutes. */
const MAX_MS = 1_800_000;

/**
 * Takes the files of a package out of its archives and converts them, in a process of its own with a low priority.
 * @throws ArchiveError, ConversionError, WorkerError when the process died
 */
export async function assemble(request: Omit<AssembleRequest, 'type' | 'id'>): Promise<UnpackedFile[]> {
  const worker = new SupervisedWorker<AssembleRequest, AssembleResult>({
    name: 'The conversion of a model',
    start: 'never again',
    launch: inProcess(new URL('assemble-process.ts', import.meta.url), [], {
      environment: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    }),
    message: (result) => results.resolve(result.id, result),
  });
  const results = worker.requests<AssembleResult>();
  try {
    const result = await results.ask((id) => ({ type: 'assemble', id, ...request }), { silenceMs: MAX_MS });
    if ('files' in result) return result.files;
    if (result.problem === 'archive') throw new ArchiveError(result.message);
    if (result.problem === 'conversion') throw new ConversionError(result.message);
    throw new Error(result.message);
  } finally {
    await worker.stop();
  }
}

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isPictureProblem, type PictureProblem } from './unsuitable-picture.ts';

/** Loading takes about a second, a photo two to four more on a slow core. A decoder that hangs is not waited for. */
export const PHOTO_PROCESS_LIMIT_MS = 60_000;
const ENTRY = fileURLToPath(new URL('photo-process.ts', import.meta.url));

/**
 * Looks at the upload in a folder, in a process of its own that is gone when this resolves.
 * @returns what is wrong with the picture, or null: the folder then holds photo, face and crops.
 * @throws Error when the process crashed, took too long or was stopped by the signal.
 */
export function runPhotoProcess(folder: string, signal: AbortSignal, entry: string = ENTRY, limitMs: number = PHOTO_PROCESS_LIMIT_MS): Promise<PictureProblem | null> {
  return new Promise((resolve, reject) => {
    const deadline = AbortSignal.timeout(limitMs);
    // Nothing of the service's environment: it holds secrets, and this process reads what strangers send.
    const child = fork(entry, [folder], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: ['--disable-warning=ExperimentalWarning'], env: { PATH: process.env['PATH'] }, serialization: 'json' });
    let answer: PictureProblem | null | undefined;
    let lastWords = '';
    const stop = () => void child.kill('SIGKILL');
    const either = AbortSignal.any([signal, deadline]);
    if (either.aborted) stop();
    either.addEventListener('abort', stop, { once: true });
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-400);
    });
    child.on('message', (message: { problem?: unknown } | null) => {
      const problem = message?.problem;
      if (problem === null || isPictureProblem(problem)) answer = problem;
    });
    child.once('error', (error) => reject(error));
    child.once('close', (code, killedBy) => {
      either.removeEventListener('abort', stop);
      if (answer !== undefined) return resolve(answer);
      if (signal.aborted) return reject(new Error('Making the avatar was given up.'));
      if (deadline.aborted) return reject(new Error(`Looking at the picture took longer than ${limitMs / 1000} s.`));
      reject(new Error(`Looking at the picture failed (${killedBy ?? `exit ${code}`}): ${lastWords.trim().split('\n').at(-1) ?? ''}`));
    });
  });
}

import { fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { systemTimers } from './clock.ts';
import type { Launch } from './link.ts';
import { reapWithThisProcess } from './orphan-reaper.ts';
import { TextTail } from './text-tail.ts';

/** How much of its standard error is kept: the trace of an exception fits. */
const LAST_WORDS = 8_192;
/** A child of the process may outlive it and hold its standard error open: reading ends after this time. */
const PIPE_MS = 1_000;
/** The line of Node's report that names the exception. Output of libraries may hold content and is not passed on. */
const EXCEPTION = /^(?:Uncaught )?(\w*Error(?: \[\w+\])?: .{1,400})/m;

export interface InProcessOptions {
  /** Its whole environment. @defaultValue that of the service, with all secrets */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Flags of Node. */
  readonly execArgv?: readonly string[];
}

/**
 * A module in a process of its own, for libraries that crash. Messages are passed by structured clone. The end of its
 * standard error is kept, and its standard output is dropped, so it cannot fill the memory or the log of the service.
 * @param entry sends through `process.send` and ends at the event `disconnect`.
 */
export function inProcess<In, Out>(
  entry: URL,
  args: readonly string[] = [],
  options: InProcessOptions = {},
): Launch<In, Out> {
  return ({ message, ended }) => {
    const child = fork(fileURLToPath(entry), args, {
      serialization: 'advanced',
      execArgv: [...(options.execArgv ?? [])],
      ...(options.environment !== undefined && { env: options.environment }),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const reaped = child.pid === undefined ? () => {} : reapWithThisProcess(child.pid);
    const lastWords = new TextTail(LAST_WORDS);
    const errors = child.stderr as Readable;
    errors.on('data', (chunk: Buffer) => lastWords.add(chunk));
    child.on('message', (content) => message(content as Out));
    child.on('error', (error) => {
      // A process that never started does not close either.
      if (child.pid === undefined) ended({ how: error.message, error });
    });
    let pipe: unknown = null;
    child.once('exit', () => {
      reaped();
      pipe = systemTimers.setTimeout(() => errors.destroy(), PIPE_MS);
    });
    child.once('close', (code, signal) => {
      systemTimers.clearTimeout(pipe);
      const exception = EXCEPTION.exec(lastWords.text)?.[1];
      ended({ how: signal ?? (exception === undefined ? `exit ${code}` : `exit ${code}: ${exception}`), error: null });
    });
    return {
      post(content) {
        // The callback keeps a broken channel from becoming an error of this process; `close` reports its end.
        if (child.connected) child.send(content as object, () => undefined);
      },
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

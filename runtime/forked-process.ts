import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { systemTimers } from './clock.ts';
import type { Link, LinkHandlers } from './link.ts';
import { reapWithThisProcess } from './orphan-reaper.ts';

/** The owner's end of a process that is a part of the service itself. */
export interface ForkedLink<In> extends Link<In> {
  readonly pid: number | null;
  /** Never throws. A process that is gone gets nothing; a socket that it does not get is closed. */
  post(message: In): void;
  tell(message: In, socket?: Socket): void;
}

/** What it has told before its end is read within this time, ms. */
const LAST_MESSAGES_MS = 200;

/**
 * Starts a module as a process that writes to the standard output and error of this one, as one service does.
 * @param environment of the process. @defaultValue that of this one
 */
export function forkedProcess<In, Out>(
  entry: URL,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): (handlers: LinkHandlers<Out>) => ForkedLink<In> {
  return ({ message, ended }) => {
    const child = fork(fileURLToPath(entry), [], {
      serialization: 'advanced',
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const reaped = child.pid === undefined ? () => {} : reapWithThisProcess(child.pid);
    let over = false;
    const end = (how: string, error: Error | null): void => {
      if (over) return;
      over = true;
      ended({ how, error });
    };
    child.on('message', (content) => message(content as Out));
    child.on('error', (error) => {
      // A process that never started does not exit either.
      if (child.pid === undefined) end(error.message, error);
    });
    child.once('exit', (code, signal) => {
      reaped();
      const how = signal ?? `exit ${code}`;
      if (!child.connected) return end(how, null);
      // What is still in the channel is the last that it had to say.
      child.once('disconnect', () => end(how, null));
      systemTimers.setTimeout(() => end(how, null), LAST_MESSAGES_MS);
    });
    function tell(content: In, socket?: Socket): void {
      if (!child.connected) return void socket?.destroy();
      // The callback keeps a broken channel from becoming an error of this process; `exit` reports its end.
      child.send(content as object, socket, {}, (error) => {
        if (error !== null) socket?.destroy();
      });
    }
    return {
      pid: child.pid ?? null,
      tell,
      post: (content) => tell(content),
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Link, LinkHandlers } from '../../runtime/link.ts';
import { systemTimers } from '../../runtime/clock.ts';
import type { FromEngine, ToEngine } from './messages.ts';

/** The supervisor's end of one engine process. */
export interface EngineLink extends Link<{ readonly kind: 'stop' }> {
  readonly pid: number | null;
  /** Never throws. A process that is gone gets nothing; a socket that it does not get is closed. */
  tell(message: ToEngine, socket?: Socket): void;
}

export type LaunchEngine = (handlers: LinkHandlers<FromEngine>) => EngineLink;

/** What it has told before its end is read within this time, ms. */
const LAST_WORDS_MS = 200;

/**
 * Starts an engine process. It writes to the standard output and error of this process, as one service does.
 * @param entry the module that it runs. @param environment of the process.
 */
export function engineLauncher(entry: URL, environment: Readonly<Record<string, string | undefined>>): LaunchEngine {
  return ({ message, ended }) => {
    const child = fork(fileURLToPath(entry), [], {
      serialization: 'advanced',
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let over = false;
    const end = (how: string, error: Error | null): void => {
      if (over) return;
      over = true;
      ended({ how, error });
    };
    child.on('message', (content) => message(content as FromEngine));
    child.on('error', (error) => {
      // A process that never started does not exit either.
      if (child.pid === undefined) end(error.message, error);
    });
    child.once('exit', (code, signal) => {
      const how = signal ?? `exit ${code}`;
      if (!child.connected) return end(how, null);
      // What is still in the channel is the last part of the journals of its sessions.
      child.once('disconnect', () => end(how, null));
      systemTimers.setTimeout(() => end(how, null), LAST_WORDS_MS);
    });
    function tell(content: ToEngine, socket?: Socket): void {
      if (!child.connected) return void socket?.destroy();
      // The callback keeps a broken channel from becoming an error of this process; `exit` reports its end.
      child.send(content, socket, {}, (error) => {
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

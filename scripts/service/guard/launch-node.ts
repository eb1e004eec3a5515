import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Launch } from '../../../runtime/link.ts';
import type { FromNode, ToNode } from './messages.ts';

const NODE = fileURLToPath(new URL('../../node-process.ts', import.meta.url));

/** Starts the process of a node, with the settings and the output of this one. */
export const launchNode: Launch<ToNode, FromNode> = ({ message, ended }) => {
  const child = fork(NODE, [], { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let over = false;
  const end = (how: string, error: Error | null): void => {
    if (over) return;
    over = true;
    ended({ how, error });
  };
  child.on('message', (content) => message(content as FromNode));
  child.on('error', (error) => {
    // A process that never started does not exit either.
    if (child.pid === undefined) end(error.message, error);
  });
  child.once('exit', (code, signal) => end(signal ?? `exit ${code}`, null));
  return {
    // The callback keeps a broken channel from becoming an error of this process; `exit` reports its end.
    post: (content) => void (child.connected && child.send(content, undefined, {}, () => {})),
    kill: () => void child.kill('SIGKILL'),
  };
};

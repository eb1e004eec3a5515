import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test.each([
  // At a stop under load an engine process aborted, with all that it had still to do: “FATAL ERROR: napi_throw in
  // receivePacketSync”. The thread of low priority that encodes idle loops was ended after two seconds, inside of a call
  // of FFmpeg's binding, which then throws where nothing can be thrown.
  ['while they encode', 'end-encoding-threads.ts'],
  // A face that was closed right after its start, on a machine so busy that its threads took two seconds to load, aborted
  // the process in the same way: bindings throw when their thread is ended while they are loaded.
  ['while they load native modules', 'end-starting-threads.ts'],
])('threads can be ended %s, and so can the process', async (_when, program) => {
  const path = fileURLToPath(new URL(`../testing/${program}`, import.meta.url));
  const child = fork(path, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: ['--no-warnings'] });
  let printed = '';
  child.stderr?.on('data', (bytes: Buffer) => (printed += String(bytes)));
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect({ status, signal, printed }).toEqual({ status: 0, signal: null, printed: '' });
});

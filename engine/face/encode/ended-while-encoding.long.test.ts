import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// At a stop under load an engine process aborted, with all that it had still to do: “FATAL ERROR: napi_throw in
// receivePacketSync”. The thread of low priority that encodes idle loops was ended after two seconds, inside of a call
// of FFmpeg's binding, which then throws where nothing can be thrown.
test('threads can be ended while they encode, and so can the process', async () => {
  const program = fileURLToPath(new URL('../testing/end-encoding-threads.ts', import.meta.url));
  const child = fork(program, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: ['--no-warnings'] });
  let printed = '';
  child.stderr?.on('data', (bytes: Buffer) => (printed += String(bytes)));
  const [status, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect({ status, signal, printed }).toEqual({ status: 0, signal: null, printed: '' });
});

import { once } from 'node:events';
import { WebSocket } from 'ws';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';

/** Environment of a service whose processes each open a debugger port of their own on SIGUSR1. */
export const DEBUGGABLE = { NODE_OPTIONS: '--inspect-port=0' };

const LISTENS = /Debugger listening on (ws:\S+)/g;

/**
 * Makes a Node process run an endless loop, as a fault in a library would.
 * @param output all output of the process and its siblings, which contains the address of its debugger.
 */
export async function hangProcess(pid: number, output: () => string): Promise<void> {
  const before = [...output().matchAll(LISTENS)].length;
  process.kill(pid, 'SIGUSR1');
  const debuggerUrl = await listening(output, before);
  const socket = new WebSocket(debuggerUrl);
  await once(socket, 'open');
  const params = { expression: 'setTimeout(() => { for (;;); })' };
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
  await once(socket, 'message');
  socket.terminate();
}

async function listening(output: () => string, before: number): Promise<string> {
  const deadline = performance.now() + TEST_TIMEOUT_MS;
  for (;;) {
    const url = [...output().matchAll(LISTENS)][before]?.[1];
    if (url !== undefined) return url;
    if (performance.now() > deadline) throw new Error('The process has opened no debugger.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

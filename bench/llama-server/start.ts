import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../runtime/testing/free-port.ts';
import type { LlamaFiles } from './build.ts';

export interface LlamaServer {
  readonly url: string;
  output(): string;
  stop(): Promise<void>;
}

/** Starts it as the guide does, on a free port. @param more further arguments. @throws Error with its output. */
export async function startLlamaServer(
  { server, model }: LlamaFiles,
  more: readonly string[] = [],
): Promise<LlamaServer> {
  const port = await freePort();
  const args = ['-m', model, '--jinja', '-c', '4096', '--port', String(port), ...more];
  const child = spawn(server, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`llama-server exited with ${child.exitCode}:\n${output.slice(-2000)}`);
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok === true) break;
    await pause(100);
  }
  return {
    url,
    output: () => output,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

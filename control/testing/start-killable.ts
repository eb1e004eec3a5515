import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { reapWithThisProcess } from '../../runtime/orphan-reaper.ts';

/** A service in a process of its own. */
export interface KillableService {
  readonly url: string;
  readonly key: string;
  /** SIGKILL. Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** @param script one of this folder that calls `serveUntilKilled`. */
export async function startKillable(script: string, args: readonly string[]): Promise<KillableService> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  // A test that takes too long is ended with its process: what it had started kept the whole run from its end.
  if (child.pid !== undefined) child.once('exit', reapWithThisProcess(child.pid));
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  return {
    ...(JSON.parse(line) as { url: string; key: string }),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

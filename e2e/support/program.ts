import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../../engine/testing/eventually.ts';

export interface Started {
  readonly process: ChildProcess;
  output(): string;
  /** Resolves with the exit status, once all that it wrote is in `output`: the last of it comes after its end. */
  readonly exited: Promise<number | null>;
}

/**
 * Does what a new user does: starts the program with only the folder and the ports set, and without the faces that nobody
 * waits for. @param as the system user who runs it, if not the current one.
 */
export function start(
  env: Record<string, string>,
  args: readonly string[] = [],
  as: { uid?: number; gid?: number } = {},
): Started {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PARLEY_')));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/parley.ts', ...args], {
    ...as,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...clean,
      ORT_DISABLE_TELEMETRY: '1',
      PORT: '0',
      PARLEY_UDP_PORT: '0',
      // All but the first one: half a minute of a core, beside everything else that is tested.
      PARLEY_DRAW_AHEAD: 'off',
      ...env,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { process: child, output: () => output, exited: once(child, 'close').then(([code]) => code as number | null) };
}

/** @returns the address that the banner names, with the key if it has one. */
export async function consoleAddress(service: Started): Promise<URL> {
  const found = (): string | undefined => /Console\s+(http\S+)/.exec(service.output())?.[1];
  await eventually(() => {
    if (found() === undefined && service.process.exitCode === null)
      throw new Error(`It is still starting:\n${service.output()}`);
  });
  const address = found();
  if (address === undefined) throw new Error(`It did not start:\n${service.output()}`);
  return new URL(address);
}

export async function stop(service: Started | undefined): Promise<void> {
  if (service === undefined || service.process.exitCode !== null || service.process.signalCode !== null) return;
  const gone = once(service.process, 'exit');
  service.process.kill('SIGKILL');
  await gone;
}

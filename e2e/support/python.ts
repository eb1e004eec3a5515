import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const PYTHON_PACKAGE = new URL('../../clients/python', import.meta.url).pathname;
/** Debian's: its packages aiortc, aiohttp, pytest and so on belong to no other. */
export const SYSTEM_PYTHON = process.env['PARLEY_TEST_PYTHON'] ?? '/usr/bin/python3';
/** The tests of the parts. */
export const PYTEST = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'];
/** pytest leaves the tests of a running service out, unless it is told so. */
export const PYTEST_OF_SERVICE = [...PYTEST, '--override-ini', 'addopts='];
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Shorter than the longest test: what hangs ends, and what it wrote is shown. */
const MAX_S = 280;

/** Runs a program and gives what it writes. Rejects with `stdout` and `stderr` when it fails. */
export type Execute = (program: string, ...args: readonly string[]) => Promise<string>;
const here: Execute = async (program, ...args) => (await run(program, args, { maxBuffer: MAX_OUTPUT_BYTES })).stdout;

/**
 * Runs Python in the folder of the package. @param options `env`: besides the environment of this process. `execute`:
 * where; on this machine itself, if not given. @returns what it wrote. @throws Error with what it wrote.
 */
export async function python(
  args: readonly string[],
  options: { interpreter?: string; env?: Readonly<Record<string, string>>; execute?: Execute } = {},
): Promise<string> {
  const { interpreter = SYSTEM_PYTHON, env = {}, execute = here } = options;
  const variables = Object.entries({ PYTHONDONTWRITEBYTECODE: '1', ...env }).map(([name, value]) => `${name}=${value}`);
  try {
    const limit = ['timeout', String(MAX_S)];
    return await execute('env', '-C', PYTHON_PACKAGE, ...variables, ...limit, interpreter, ...args);
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`python3 ${args.join(' ')}\n${stdout ?? ''}\n${stderr ?? String(error)}`, { cause: error });
  }
}

/**
 * Installs the wheel of a running service as a user without a network would: into an empty environment, which finds only
 * the system's packages besides. @param folder empty. @returns the environment's interpreter.
 */
export async function installWheel(serviceUrl: string, folder: string): Promise<string> {
  const { packages } = (await (await fetch(`${serviceUrl}/clients`)).json()) as { packages: { url: string }[] };
  const wheel = packages.find(({ url }) => url.endsWith('.whl'))!.url;
  const environment = join(folder, 'environment');
  await python(['-m', 'venv', '--system-site-packages', environment]);
  const interpreter = join(environment, 'bin/python');
  await python(['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-index', wheel], { interpreter });
  return interpreter;
}

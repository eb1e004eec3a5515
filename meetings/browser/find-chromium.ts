import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian's, Ubuntu's, and Google's own. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
/** `nobody` on every Debian. */
const NOBODY = 65_534;
const PROBE_MS = 5_000;

/** How Chromium is started on this machine. */
export interface Chromium {
  readonly program: string;
  /** The user that it runs as. Null: that of the service. */
  readonly user: number | null;
  /** Whether it can confine the pages' own processes. */
  readonly sandbox: boolean;
}

/** @param path of the program, or undefined: one on the PATH. @returns null when there is none. */
export async function findChromium(path: string | undefined): Promise<Chromium | null> {
  const program = await firstProgram(path === undefined ? onPath() : [path]);
  if (program === null) return null;
  // Chromium refuses to confine anything as root, and nothing of a meeting should run as root.
  const user = process.getuid?.() === 0 && (await runs('setpriv', ['--version'])) ? NOBODY : null;
  return { program, user, sandbox: await mayConfine(user) };
}

/** Whether the user that Chromium runs as can enter a folder. */
export function canEnter({ user }: Chromium, folder: string): Promise<boolean> {
  return user === null ? Promise.resolve(true) : runs('setpriv', [...as(user), 'test', '-x', folder]);
}

function as(user: number): string[] {
  return [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
}

function onPath(): string[] {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
}

async function firstProgram(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}

/** Chromium's sandbox needs user namespaces, which containers and some kernels deny. */
async function mayConfine(user: number | null): Promise<boolean> {
  if (user === null) return process.getuid?.() !== 0 && runs('unshare', ['--user', 'true']);
  return runs('setpriv', [...as(user), 'unshare', '--user', 'true']);
}

function runs(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, [...args], { timeout: PROBE_MS }).then(
    () => true,
    () => false,
  );
}

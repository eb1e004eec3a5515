import { SettingsError } from '../../control/settings/settings.ts';
import { StartError } from '../../runtime/start-error.ts';

/** What a command writes, and its exit status: 0 done, 1 failed, 2 asked for wrongly. */
export interface Done {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: 0 | 1 | 2;
}

/** Writes a line to stderr beside the result. */
export type Warn = (line: string) => void;

/** A command line that cannot be carried out; `message` says why. */
export class UsageError extends Error {}

/** Carries out one command. Never throws. @param run returns what is written to stdout. */
export async function runCommand(run: (warn: Warn) => Promise<string>): Promise<Done> {
  let warnings = '';
  const warn = (line: string): void => void (warnings += `${line}\n`);
  try {
    const stdout = `${await run(warn)}\n`;
    return { stdout, stderr: warnings, status: 0 };
  } catch (error) {
    const usage =
      error instanceof UsageError ||
      error instanceof SettingsError ||
      (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
    const plain = usage || error instanceof StartError || (error as { syscall?: string }).syscall === 'mkdir';
    const reason = plain ? (error as Error).message : String(error instanceof Error ? error.stack : error);
    return { stdout: '', stderr: `${warnings}${reason}\n`, status: usage ? 2 : 1 };
  }
}

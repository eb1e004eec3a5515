import { spawn } from 'node:child_process';

/** How much of what a client says is kept, for the message of an error. */
const MAX_OUTPUT = 65_536;

export interface ClientResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ClientOptions {
  /** Added to the environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a package client with the environment of the service, so that mirrors, proxies and credentials count as they do
 * in a terminal. @returns null when the program is not installed. @throws AbortError
 */
export async function runClient(
  program: string,
  args: readonly string[],
  { environment = {}, signal }: ClientOptions = {},
): Promise<ClientResult | null> {
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal !== undefined && { signal }),
  });
  const output = { stdout: '', stderr: '' };
  for (const which of ['stdout', 'stderr'] as const)
    child[which].setEncoding('utf8').on('data', (text: string) => {
      output[which] = (output[which] + text).slice(-MAX_OUTPUT);
    });
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(null) : reject(error)));
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

/** The line of a client's output that says what went wrong, without passwords in addresses. */
export function lastComplaint(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const complaint = lines.findLast((line) => /error|ERR!/i.test(line)) ?? lines.at(-1) ?? 'no output';
  return complaint.replaceAll(/\/\/[^/@\s]*@/g, '//').slice(0, 300);
}

/** Whether a client says that it could not connect at all. */
export function couldNotConnect(output: string): boolean {
  return /NewConnectionError|ConnectTimeout|ProxyError|NameResolution|SSLError|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET/.test(
    output,
  );
}

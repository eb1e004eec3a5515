import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';

/**
 * A process of its own for what strangers send: frames and documents are decoded in one, so that a file which crashes
 * a decoder, never ends or expands without end takes that process with it and nothing else. The kernel keeps the
 * limits: the limit of a thread contains no buffers, and one that runs out of heap may take the service with it.
 */

/** What the process may take of the machine. */
export interface Confinement {
  /** MB of JavaScript objects. */
  readonly heapMb: number;
  /** MB of all that it holds: objects, buffers, and what libraries allocate. */
  readonly memoryMb: number;
  /** MB of a file that it writes. */
  readonly fileMb: number;
  /** Seconds of processor time: how much work it is, however busy the machine is. */
  readonly cpuSeconds: number;
  /** Seconds until nobody waits for it any more. */
  readonly seconds: number;
}

export interface ConfinedRun {
  /** A module that ends with `answer`. */
  readonly entry: string;
  readonly args: readonly string[];
  readonly limits: Confinement;
  /** Files, and folders with a `/` at their end, that it may read, and nothing else. @defaultValue what the service may */
  readonly mayRead?: readonly string[];
  /** An open file that it reads as its standard input. */
  readonly input?: number;
  /** An open file that it finds as `OUTPUT_FD`. Both share its position. */
  readonly output?: number;
  readonly signal: AbortSignal;
}

/** `stopped` by the signal; ended by a limit, `time` or `memory`; or by itself, without an answer: `crash`. */
export type ConfinedEnd = 'stopped' | 'time' | 'memory' | 'crash';

export class ConfinedProcessError extends Error {
  override readonly name = 'ConfinedProcessError';
  readonly end: ConfinedEnd;
  /** Whether the process had called `begun`. */
  readonly hadBegun: boolean;
  constructor(end: ConfinedEnd, message: string, hadBegun = false) {
    super(message);
    this.end = end;
    this.hadBegun = hadBegun;
  }
}

const ANSWER_FD = 3;
export const OUTPUT_FD = 4;

/** An answer is a verdict; what is longer goes into files. */
const MAX_ANSWER_LENGTH = 65_536;
/** What a process says last tells why it ended; the fatal errors of V8 come with a trace of this length. */
const LAST_WORDS = 8192;
const OUT_OF_MEMORY = /out of memory|bad_alloc|allocation failed|failed to allocate|cannot allocate/i;

/**
 * MB of address space that Node takes without using it, which the kernel counts as well: 512 for V8's code on x64, and
 * the stacks of its threads (576 in all, Node 24.21).
 */
const RESERVED_MB = 576;
/** Live conversations come first. */
const NICENESS = 10;
/**
 * Sets the limits and becomes Node. No core is dumped, since it would hold what the stranger sent. The kernel ends this
 * process when the service was killed, and before any other when the machine runs short of memory.
 */
const CONFINE = `set -e
{ echo 1000 > /proc/self/oom_score_adj || true; } 2> /dev/null
ulimit -c 0
ulimit -St "$1"
ulimit -Ht "$(($1 + 5))"
ulimit -f "$2"
ulimit -d "$3"
shift 3
if command -v setpriv > /dev/null; then set -- setpriv --pdeathsig KILL "$@"; fi
exec nice -n ${NICENESS} "$@"`;

/**
 * Runs a module within limits, in a process that is gone when this settles.
 * @returns what it gave to `answer`. @throws ConfinedProcessError.
 */
export function runConfined(run: ConfinedRun): Promise<unknown> {
  const { limits, signal } = run;
  return new Promise((resolve, reject) => {
    const deadline = AbortSignal.timeout(limits.seconds * 1000);
    const either = AbortSignal.any([signal, deadline]);
    const child = start(run);
    const answers = child.stdio[ANSWER_FD] as Readable;
    let answered = '';
    let hasBegun = false;
    let lastWords = '';
    const stop = (): void => void child.kill('SIGKILL');
    if (either.aborted) stop();
    either.addEventListener('abort', stop, { once: true });
    child.stderr!.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-LAST_WORDS);
    });
    answers.on('data', (chunk: Buffer) => {
      hasBegun = true;
      answered += chunk.toString();
      if (answered.length > MAX_ANSWER_LENGTH) {
        answered = '';
        answers.destroy();
      }
    });
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      either.removeEventListener('abort', stop);
      const answer = code === 0 ? parsed(answered) : undefined;
      if (answer !== undefined) resolve(answer);
      else if (signal.aborted) reject(new ConfinedProcessError('stopped', 'The process was stopped.', hasBegun));
      else if (deadline.aborted || killedBy === 'SIGXCPU')
        reject(new ConfinedProcessError('time', tooSlow(limits), hasBegun));
      // The kernel kills what it has no memory for.
      else if (killedBy === 'SIGKILL' || OUT_OF_MEMORY.test(lastWords))
        reject(new ConfinedProcessError('memory', tooLarge(limits), hasBegun));
      else reject(new ConfinedProcessError('crash', crashed(killedBy ?? `exit ${code}`, lastWords), hasBegun));
    });
  });
}

/** In the confined process: it is loaded and looks at its input, so that a crash from now on may be due to that. */
export function begun(): void {
  // JSON may begin with it.
  writeSync(ANSWER_FD, ' ');
}

/** In the confined process: gives its answer, a short value that JSON can hold. It should end after that. */
export function answer(value: unknown): void {
  writeSync(ANSWER_FD, JSON.stringify(value));
}

function start({ entry, args, limits, mayRead = [], input, output }: ConfinedRun): ChildProcess {
  const flags = [`--max-old-space-size=${limits.heapMb}`, '--disable-warning=ExperimentalWarning'];
  if (mayRead.length > 0) flags.push('--permission', ...mayRead.flatMap(readFlags));
  const units = [limits.cpuSeconds, limits.fileMb * 2048, (limits.memoryMb + RESERVED_MB) * 1024].map(String);
  return spawn('/bin/sh', ['-c', CONFINE, 'confined', ...units, process.execPath, ...flags, entry, ...args], {
    stdio: [input ?? 'ignore', 'ignore', 'pipe', 'pipe', ...(output === undefined ? [] : [output])],
    // Nothing of the service's environment: it holds secrets.
    env: { PATH: process.env['PATH'] },
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Node looks at a path as it is written, and at where its links lead. */
function readFlags(path: string): string[] {
  const real = existsSync(path) ? realpathSync(path) + (path.endsWith('/') ? '/' : '') : path;
  return [...new Set([path, real])].map((one) => `--allow-fs-read=${one}`);
}

function tooSlow({ cpuSeconds, seconds }: Confinement): string {
  return `The process took longer than ${cpuSeconds} s of work, or ${seconds} s in all.`;
}

function tooLarge({ memoryMb }: Confinement): string {
  return `The process wanted more than ${memoryMb} MB of memory.`;
}

/** Below an error Node writes a stack and its version; with a permission that is missing, which file it was. */
function crashed(how: string, lastWords: string): string {
  const lines = lastWords.trim().split('\n');
  const problem = lines.find((line) => /^\w*Error\b|^FATAL ERROR\b/.test(line)) ?? lines.at(-1)!;
  const [resource = ''] = /resource: '[^']*'/.exec(lastWords) ?? [];
  return `The process failed (${how}): ${[problem.slice(0, 400), resource].join(' ').trim()}`;
}

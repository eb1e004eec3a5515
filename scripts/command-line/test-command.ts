import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { failureReasons } from '../../control/api/persona-tests/junit.ts';
import type { TestResult } from '../../control/api/persona-tests/test-schema.ts';
import { type Api, CommandError, personaNamed } from './api.ts';

export interface TestCommand {
  /** Its name or id. */
  readonly persona: string;
  /** `draft`, or a number; null: what is live. */
  readonly version: string | null;
  /** Files to write. */
  readonly json: string | null;
  readonly junit: string | null;
}

interface Run {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'passed' | 'failed' | 'cancelled';
  readonly total: number;
  readonly results: readonly TestResult[];
}

const LOOK_MS = 500;

/**
 * Runs the tests of a persona. @param stop cancels the run on the service, too: its conversations cost somebody's money.
 * @returns whether all of them have passed. @throws CommandError
 */
export async function runTests(
  api: Api,
  command: TestCommand,
  print: (line: string) => void,
  stop: AbortSignal,
): Promise<boolean> {
  const id = await personaNamed(api, command.persona);
  const body = command.version === null ? {} : { version: versionOf(command.version) };
  const started = await api.send<Run>('POST', `/v1/personas/${id}/test-runs`, body);
  const run = await finished(api, `/v1/personas/${id}/test-runs/${started.id}`, stop);
  for (const result of run.results) {
    print(`${result.passed ? 'ok    ' : 'FAILED'} ${result.name}`);
    if (!result.passed) for (const reason of failureReasons(result)) print(`         ${reason}`);
  }
  const passed = run.results.filter((result) => result.passed).length;
  print(`${passed} of ${run.total} passed.`);
  if (command.json !== null) await writeFile(command.json, `${JSON.stringify(run.results, null, 2)}\n`);
  if (command.junit !== null) {
    const { xml } = await api.send<{ xml: string }>('GET', `/v1/personas/${id}/test-runs/${started.id}/junit`);
    await writeFile(command.junit, xml);
  }
  if (run.status === 'cancelled') throw new CommandError('The run was cancelled before all tests were done.');
  return run.status === 'passed';
}

async function finished(api: Api, path: string, stop: AbortSignal): Promise<Run> {
  let isStopping = false;
  for (;;) {
    if (stop.aborted && !isStopping) {
      isStopping = true;
      await cancel(api, path);
    }
    const run = await api.send<Run>('GET', path);
    if (run.status !== 'queued' && run.status !== 'running') return run;
    await wait(LOOK_MS, undefined, isStopping ? {} : { signal: stop }).catch(() => {});
  }
}

async function cancel(api: Api, path: string): Promise<void> {
  try {
    await api.send('POST', `${path}/cancel`);
  } catch (error) {
    // Over meanwhile: its results are told as ever.
    if (!(error instanceof CommandError && error.status === 409)) throw error;
  }
}

function versionOf(text: string): number | 'draft' {
  if (text === 'draft') return text;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new CommandError(`--version is "draft" or a number, not "${text}".`);
}

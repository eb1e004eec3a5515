import { describe, expect, it } from 'vitest';
import { type Api, CommandError } from './api.ts';
import { runTests } from './test-command.ts';

const COMMAND = { persona: '0a6c9d1e-7f7b-4f0b-9f3e-5e1b7a2c4d10', version: null, json: null, junit: null };

/** A service whose run goes on until it is cancelled. @param looked each time that somebody looks at it. */
function service(looked: (times: number) => void, over = false): { readonly api: Api; readonly asked: string[] } {
  const asked: string[] = [];
  let status = 'running';
  const send = async (method: string, path: string): Promise<unknown> => {
    asked.push(`${method} ${path.split('/').slice(4).join('/')}`);
    if (path.endsWith('/cancel')) {
      status = over ? 'passed' : 'cancelled';
      if (over) throw new CommandError('Test run is over', { status: 409 });
    }
    const answer = { id: 'run', status, total: 2, results: [{ name: 'Greets', passed: true, checks: [] }] };
    if (method === 'GET') looked(asked.length);
    return answer;
  };
  return { api: { send: send as Api['send'] }, asked };
}

/** Ctrl-C ended the command, and the service went on with conversations that nobody waited for. */
describe('Ctrl-C while tests run', () => {
  it('cancels the run on the service, once, and prints what has a result', async () => {
    const stop = new AbortController();
    const { api, asked } = service(() => stop.abort());
    const lines: string[] = [];
    await expect(runTests(api, COMMAND, (line) => lines.push(line), stop.signal)).rejects.toThrow('was cancelled');
    expect(asked).toEqual(['POST test-runs', 'GET test-runs/run', 'POST test-runs/run/cancel', 'GET test-runs/run']);
    expect(lines).toEqual(['ok     Greets', '1 of 2 passed.']);
  });

  it('comes too late for a run that is over', async () => {
    const stop = new AbortController();
    const { api } = service(() => stop.abort(), true);
    expect(await runTests(api, COMMAND, () => {}, stop.signal)).toBe(true);
  });
});

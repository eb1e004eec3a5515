import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { pythonTool } from '../../runtime/testing/python-tools.ts';
import { startTestService } from '../testing/service.ts';
import { describeOnSqlite } from '../testing/stores.ts';

const run = promisify(execFile);

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Of each operation, besides all boundary values of its document. */
const EXAMPLES = '1';
const CHECKS = [
  'accepts_what_is_documented',
  'does_not_fail',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'unsupported_method',
];
const HOOKS = new URL('testing/documented_values.py', import.meta.url).pathname;

const schemathesis = pythonTool('schemathesis');

/** Schemathesis makes requests of the document that the service gives out, and compares the answers with it. */
describeOnSqlite('the API document', (stores) => {
  for (const [what, methods, tags] of [
    ['asks and deletes', 'GET,DELETE', []],
    // In every run, what is sent is tried by hand: hostile-values.long.test.ts, and the examples of openapi.long.test.ts.
    ['creates', 'POST', ['nightly']],
    ['changes', 'PUT', ['nightly']],
  ] as const)
    (schemathesis === null ? it.skip : it)(
      `promises what the service does, to whoever takes it at its word and ${what}`,
      { tags: [...tags] },
      async () => {
        const service = await startTestService(await stores.open(), {
          settings: { PARLEY_MAX_SESSIONS_PER_ORGANIZATION: '10000' },
        });
        // Schemathesis keeps notes in the folder where it runs.
        const folder = await mkdtemp(join(tmpdir(), 'parley-schemathesis-'));
        try {
          await service.app.listen({ port: 0, host: '127.0.0.1' });
          const url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
          const key = ['--header', `Authorization: Bearer ${service.key}`];
          // Of a text with U+0000 it is said in general that it is refused: JSON Schema has no word for it.
          const requests = ['--max-examples', EXAMPLES, '--mode', 'positive', '--generation-allow-x00', 'false'];
          const which = methods.split(',').flatMap((method) => ['--include-method', method]);
          const phases = ['--phases', 'examples,coverage,fuzzing', '--generation-deterministic'];
          const output = ['--no-color', '--suppress-health-check', 'all', '--continue-on-failure'];
          const what = [...which, ...requests, ...phases, '--checks', CHECKS.join()];
          const { stdout, stderr } = await run(
            schemathesis!,
            ['run', `${url}/openapi.json`, '--url', url, ...key, ...what, ...output],
            { cwd: folder, env: { ...process.env, SCHEMATHESIS_HOOKS: HOOKS }, maxBuffer: MAX_OUTPUT_BYTES },
          ).catch((error: unknown) => error as { stdout: string; stderr: string });
          const failures = stdout.indexOf('= FAILURES =');
          expect(failures < 0 ? '' : stdout.slice(failures)).toBe('');
          expect(stdout + stderr).toMatch(/No issues found|Test cases:\n {2}\d+ generated, \d+ passed/);
        } finally {
          await service.close();
          await rm(folder, { recursive: true });
        }
      },
    );
});

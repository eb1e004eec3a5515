import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type ExpectStatic } from 'vitest';
import { installWheel, PYTEST, PYTEST_OF_SERVICE, python } from './support/python.ts';
import { startService, type RunningService, type ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';
import { spokenWav } from './support/spoken-wav.ts';

describe('the parts of the Python client', () => {
  it('pass their tests', async () => {
    expect(await python(PYTEST)).toMatch(/\d+ passed/);
  });

  it('have strict types', { tags: ['nightly'] }, async () => {
    expect(await python(['-m', 'mypy', '--cache-dir', '/dev/null'])).toContain('no issues found');
  });
});

/** One of the tests fills the service: few sessions do that. */
const FEW_SESSIONS = { PARLEY_MAX_SESSIONS: '4' };

/** Of the documents and examples: the tests of the conversation do what the others do. */
const IN_EVERY_RUN = 'program';

/** The tests of `clients/python/tests/service`: the installed wheel against the real service. */
describe('the installed Python client', () => {
  let small: RunningService;
  let shared: ServiceAccess;
  let folder: string;
  let interpreter: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-python-'));
    await writeFile(join(folder, 'question.wav'), await spokenWav('What is your name?'));
    [small, shared] = await Promise.all([startService({ env: FEW_SESSIONS }), sharedService()]);
    interpreter = await installWheel(small.url, folder);
  });
  afterAll(async () => {
    await small?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('brings its license and its types along', async () => {
    const files = await python(
      ['-c', "from importlib.metadata import files; print(*files('parley-client'), sep='\\n')"],
      { interpreter },
    );
    expect(files).toMatch(/^parley_client-[\d.]+\.dist-info\/(licenses\/)?LICENSE$/m);
    expect(files).toContain('parley_client/py.typed');
  });

  it.concurrent.for([
    ['talks: tools, updates, streams, cues, audio, ends, refusals', 'test_conversation.py', '', () => small],
    ['runs its program', 'test_documents.py', IN_EVERY_RUN, () => shared],
  ] as const)('%s', ([, file, which, service], { expect }) => passes(expect, file, which, service()));

  it('runs the code of its guide, its README and its examples', { tags: ['nightly'] }, ({ expect }) =>
    passes(expect, 'test_documents.py', `not (${IN_EVERY_RUN})`, shared),
  );

  /** @param which of the tests in the file, as pytest's `-k` takes it. '': all */
  async function passes(expect: ExpectStatic, file: string, which: string, service: ServiceAccess): Promise<void> {
    // The sources would otherwise come before the wheel.
    const where = ['--override-ini', 'pythonpath=', `tests/service/${file}`, '-k', which];
    const output = await python([...PYTEST_OF_SERVICE, ...where], {
      interpreter,
      env: {
        PARLEY_TEST_URL: service.url,
        PARLEY_TEST_KEY: service.apiKey,
        PARLEY_TEST_QUESTION: join(folder, 'question.wav'),
      },
    });
    expect(output).toMatch(/\d+ passed/);
    expect(output).not.toContain('skipped');
  }
});

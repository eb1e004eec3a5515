import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installWheel, python, type Execute } from './support/python.ts';
import { startService, type RunningService } from './support/service.ts';
import { spokenWav } from './support/spoken-wav.ts';
import { networkObstacle, openTestNetwork, type TestNetwork } from './support/test-network.ts';

const obstacle = networkObstacle();
if (obstacle !== null) console.warn(`Tests of the Python client's outages are skipped: ${obstacle}.`);

const PYTEST = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'];

describe('the parts of the Python client', () => {
  it('pass their tests', async () => {
    expect(await python(PYTEST)).toMatch(/\d+ passed/);
  });

  it('have strict types', async () => {
    expect(await python(['-m', 'mypy', '--cache-dir', '/dev/null'])).toContain('no issues found');
  });
});

/** The tests of `clients/python/tests/service`: the installed wheel against the real service. */
describe('the installed Python client', () => {
  let service: RunningService;
  let network: TestNetwork | null;
  let folder: string;
  let interpreter: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-python-'));
    await mkdir(join(folder, 'install'));
    interpreter = await installWheel(join(folder, 'install'));
    await writeFile(join(folder, 'question.wav'), await spokenWav('What is your name?'));
    network = obstacle === null ? await openTestNetwork(1) : null;
    service = await startService(network === null ? {} : { host: network.serviceAddress });
  });
  afterAll(async () => {
    await service?.stop();
    await network?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** pytest would otherwise leave the tests of a service out, and prefer the sources. */
  const run = (file: string, env: Record<string, string> = {}, execute?: Execute): Promise<string> =>
    python([...PYTEST, '--override-ini', 'addopts=', '--override-ini', 'pythonpath=', `tests/service/${file}`], {
      interpreter,
      env: {
        PARLEY_TEST_URL: service.url,
        PARLEY_TEST_KEY: service.apiKey,
        PARLEY_TEST_QUESTION: join(folder, 'question.wav'),
        ...env,
      },
      ...(execute && { execute }),
    });

  it('talks: tools, updates, streams, cues, audio, ends, refusals', async () => {
    expect(await run('test_conversation.py')).toMatch(/\d+ passed/);
  });

  it('runs the code of its documents, its examples and its program', async () => {
    expect(await run('test_documents.py')).toMatch(/\d+ passed/);
  });

  it.skipIf(obstacle !== null)('goes on after outages of 8 and 20 s', async () => {
    const [client] = network!.clients;
    // An earlier attempt may have left it cut.
    await client!.restore();
    const output = await run('test_outages.py', { PARLEY_TEST_NETWORK: 'cut it' }, client!.exec);
    expect(output).toMatch(/\d+ passed/);
    expect(output).not.toContain('skipped');
  });
});

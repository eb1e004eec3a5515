import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pythonTool } from '../runtime/testing/python-tools.ts';
import { firstAvatar } from './support/ada.ts';
import { python } from './support/python.ts';
import { startService } from './support/service.ts';
import { spokenWav } from './support/spoken-wav.ts';

const interpreter = pythonTool('python');
const pipecat = pythonTool('python', 'pipecat');

/** Programs as PyPI has them, unmodified: only the base URL is another. */
async function run(script: string, interpreter: string, args: readonly string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-anam-'));
  const service = await startService({ env: { PARLEY_MAX_SESSIONS_PER_ORGANIZATION: '2' } });
  try {
    await writeFile(join(folder, 'question.wav'), await spokenWav('What is your name?'));
    return await python([new URL(`python/${script}`, import.meta.url).pathname, ...args], {
      interpreter,
      env: {
        PARLEY_TEST_URL: service.url,
        PARLEY_TEST_KEY: service.apiKey,
        PARLEY_TEST_AVATAR: await firstAvatar(service),
        PARLEY_TEST_QUESTION: join(folder, 'question.wav'),
        PARLEY_TEST_GUIDE: new URL('../docs/guides/pipecat.md', import.meta.url).pathname,
      },
    });
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

it.skipIf(interpreter === null)(
  'the public Python SDK talks, hears, is interrupted, passes audio of 8 to 48 kHz through, and names errors and limits',
  async () => {
    const output = await run('public_python_sdk.py', interpreter!);
    expect(output.match(/^ok \w+$/gm)).toHaveLength(6);
  },
);

// The shortest token is valid for a minute.
(interpreter === null ? it.skip : it)(
  'the public Python SDK is told that its token has expired',
  { tags: ['nightly'] },
  async () => {
    const output = await run('public_python_sdk.py', interpreter!, ['slow']);
    expect(output).toBe('ok refuses_an_expired_token\n');
  },
);

(pipecat === null ? it.skip : it)(
  'the plugin for Pipecat shows the persona, passes audio through, is interrupted, and is told of the end',
  { tags: ['nightly'] },
  async () => {
    const output = await run('pipecat_plugin.py', pipecat!);
    expect(output.match(/^ok \w+$/gm)).toHaveLength(3);
  },
);

(pipecat === null ? it.skip : it)(
  'the program of the guide for Pipecat works as written: a caller sees the face, asks, and hears the answer',
  { tags: ['nightly'] },
  async () => {
    const output = await run('pipecat_guide.py', pipecat!);
    expect(output.match(/^ok \w+$/gm)).toHaveLength(3);
  },
);

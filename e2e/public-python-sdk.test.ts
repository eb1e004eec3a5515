import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pythonTool } from '../runtime/testing/python-tools.ts';
import { python } from './support/python.ts';
import { startService } from './support/service.ts';
import { spokenWav } from './support/spoken-wav.ts';

const interpreter = pythonTool('python');

/** `anam` from PyPI, unmodified: only its base URL is another. */
it.skipIf(interpreter === null)(
  'the public Python SDK talks, hears, is interrupted, passes audio of 8 to 48 kHz through, and names errors',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-anam-'));
    const service = await startService();
    try {
      await writeFile(join(folder, 'question.wav'), await spokenWav('What is your name?'));
      const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
      const output = await python([new URL('python/public_python_sdk.py', import.meta.url).pathname], {
        interpreter: interpreter!,
        env: {
          PARLEY_TEST_URL: service.url,
          PARLEY_TEST_KEY: service.apiKey,
          PARLEY_TEST_AVATAR: data[0]!.id,
          PARLEY_TEST_QUESTION: join(folder, 'question.wav'),
        },
      });
      expect(output.match(/^ok \w+$/gm)).toHaveLength(5);
    } finally {
      await service.stop();
      await rm(folder, { recursive: true });
    }
  },
);

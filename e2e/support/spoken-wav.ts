import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A sentence spoken by flite, as a 16-bit mono WAV. A voice other than the persona's keeps the two apart in recordings.
 */
export async function spokenWav(text: string, voice = 'awb'): Promise<Buffer> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-wav-'));
  try {
    const file = join(dir, 'speech.wav');
    await run('flite', ['-voice', voice, '-t', text, '-o', file]);
    return await readFile(file);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

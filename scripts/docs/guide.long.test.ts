import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../../runtime/testing/bare-environment.ts';
import { eventually } from '../../engine/testing/eventually.ts';
import { shareFirstStart } from '../../e2e/support/share-first-start.ts';
import { freePort } from '../../runtime/testing/free-port.ts';

const KEY = 'a-key-for-the-guide-only';

describe('the guide "From a key to a first session, with curl"', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-guide-'));
  let service: ChildProcess;
  let url: string;
  let output = '';

  beforeAll(async () => {
    await shareFirstStart(dataDir);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const script = fileURLToPath(new URL('../parley.ts', import.meta.url));
    service = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
      env: bareEnvironment({
        PORT: String(port),
        PARLEY_UDP_PORT: '0',
        PARLEY_DATA_DIR: dataDir,
        PARLEY_API_KEY: KEY,
        // Half a minute of a core for faces that nobody sees.
        PARLEY_DRAW_AHEAD: 'off',
      }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [service.stdout!, service.stderr!])
      stream.on('data', (text: Buffer) => (output += text.toString()));
    await eventually(async () => {
      if (service.exitCode !== null) throw new Error(`the service ended: ${output}`);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    });
  });
  afterAll(async () => {
    if (service.exitCode === null) {
      const gone = new Promise((resolve) => service.once('exit', resolve));
      service.kill('SIGTERM');
      await gone;
    }
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('works as written', async () => {
    const guide = readFileSync(new URL('../../docs/guides/first-session-with-curl.md', import.meta.url), 'utf8');
    const steps = [...guide.matchAll(/^```bash\n(.*?)^```$/gms)].map((match) => match[1]!);
    expect(steps.length).toBeGreaterThan(6);
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', steps.join('\n')], {
      env: { PATH: process.env.PATH, PARLEY: url, KEY },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
    const status = await new Promise((resolve) => shell.once('close', resolve));
    expect(status, `${said}\n${output}`).toBe(0);
    expect(said).toContain('"status":"ready"');
    expect(said).toContain('six in the morning');
    expect(said).toContain('"signallingEndpoint":"/');
    expect(said).toMatch(/"transcriptsEnabled":true/);
    expect(said).toMatch(/completed\n.* [1-9]\d{4,} .*parley-concierge\.mp4\nhttp.*\/s\/\S+/);
  });
});

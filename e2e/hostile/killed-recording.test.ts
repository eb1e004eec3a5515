import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLightConversation } from '../../bench/lib/light-conversation.ts';
import { NOBODY_SPEAKS, startService, type RunningService } from '../support/service.ts';

/** Of a recording, before the service is killed. */
const RECORDED_MS = 4_000;
/** At least so much of it is kept: on a busy machine it begins late, and its last second was not written. */
const KEPT_MS = 2_000;

let folder: string;
let service: RunningService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-killed-'));
  service = await startService({ dataDir: folder, env: NOBODY_SPEAKS });
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('a recording in whose middle the service was killed is there after the next start, up to its last second', async () => {
  const user = await openLightConversation(service);
  const began = performance.now();
  await user.ask('Is this recorded?');
  await pause(Math.max(0, RECORDED_MS - (performance.now() - began)));
  await service.kill();
  user.close();
  // Of another one, nothing but its name was written.
  const empty = crypto.randomUUID();
  await writeFile(join(folder, 'recordings', `${empty}.mp4`), '');

  service = await startService({ dataDir: folder, env: { PARLEY_API_KEY: service.apiKey, ...NOBODY_SPEAKS } });
  const recording = () =>
    service.api<{ recordingUrl: string }>('GET', `/v1/sessions/${user.sessionId}/recording`).catch(() => null);
  await expect.poll(recording).not.toBeNull();
  const bytes = await (await fetch((await recording())!.recordingUrl)).bytes();
  const file = join(folder, 'downloaded.mp4');
  await writeFile(file, bytes);
  const decoded = spawnSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-'], { encoding: 'utf8' });
  expect([decoded.status, decoded.stderr]).toEqual([0, '']);
  const probe = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file];
  const seconds = Number(spawnSync('ffprobe', probe, { encoding: 'utf8' }).stdout);
  expect(1_000 * seconds).toBeGreaterThan(KEPT_MS);
  await expect(service.api('GET', `/v1/sessions/${empty}/recording`)).rejects.toThrow('404');
});

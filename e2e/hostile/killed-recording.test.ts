import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHeadlessConversation } from '../../bench/lib/headless-conversation.ts';
import { durationOf } from '../../engine/recording/unfinished.ts';
import { WITHOUT_RECOGNIZER, startService, type RunningService } from '../support/service.ts';

/** So much of it is on the disk when the service is killed. On a busy machine, the recorder is some seconds behind. */
const WRITTEN_MS = 2_000;

let folder: string;
let service: RunningService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-killed-'));
  service = await startService({ dataDir: folder, env: WITHOUT_RECOGNIZER });
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('a recording in whose middle the service was killed is there after the next start, up to its last second', async () => {
  const user = await openHeadlessConversation(service);
  await user.ask('Is this recorded?');
  const written = (): number | null => durationOf(join(folder, 'recordings', `${user.sessionId}.mp4`));
  await expect.poll(written, { interval: 250 }).toBeGreaterThan(WRITTEN_MS);
  await service.kill();
  user.close();
  // Of another one, nothing but its name was written.
  const empty = crypto.randomUUID();
  await writeFile(join(folder, 'recordings', `${empty}.mp4`), '');

  service = await startService({ dataDir: folder, env: { PARLEY_API_KEY: service.apiKey, ...WITHOUT_RECOGNIZER } });
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
  expect(1_000 * seconds).toBeGreaterThan(WRITTEN_MS);
  await expect(service.api('GET', `/v1/sessions/${empty}/recording`)).rejects.toThrow('404');
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { livekitTools, type LivekitTools } from '../runtime/testing/livekit-tools.ts';
import { firstAvatar } from './support/ada.ts';
import { type LivekitServer, type RoomEvent, runInRoom, startLivekitServer } from './support/livekit.ts';
import { createRoom } from './support/livekit-room-service.ts';
import { python as runPython } from './support/python.ts';
import { type RunningService, startService } from './support/service.ts';
import { spokenWav } from './support/spoken-wav.ts';

const tools = livekitTools();

/** Unmodified public plugins, and a real server. Skipped where `scripts/install-livekit.sh` did not run. */
describe.skipIf(tools === null)('an agent in a LiveKit room', () => {
  const { server, project, python } = tools ?? ({} as LivekitTools);
  let service: RunningService;
  let livekit: LivekitServer;
  let avatar: string;
  beforeAll(async () => {
    [service, livekit] = await Promise.all([
      startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } }),
      startLivekitServer({ server }),
    ]);
    avatar = await firstAvatar(service);
  });
  afterAll(async () => {
    await livekit?.close();
    await service?.stop();
  });
  const enter = (room: string, program: 'room.mjs' | 'agent.py' = 'room.mjs', more = {}) =>
    runInRoom({ server, project, python }, program, {
      ...livekit.env,
      ROOM: room,
      AVATAR_URL: service.url,
      AVATAR_KEY: service.apiKey,
      AVATAR_ID: avatar,
      ...more,
    });
  const left = ({ event, identity }: RoomEvent) => event === 'left' && identity === 'anam-avatar-agent';

  it('has a face that others see and hear, that is silent when it is interrupted, and that survives a new server', async () => {
    const room = await enter('lobby', 'room.mjs', { VIDEO_WIDTH: '640', VIDEO_HEIGHT: '360' });
    try {
      await room.next('ready');
      await room.next('seen');
      room.command('say 1000');
      await room.next('loud');
      await room.next('said');
      expect(await room.next('finished')).toMatchObject({ playbackPosition: expect.closeTo(1), interrupted: false });
      await room.next('quiet');
      room.command('cut 10000 1000');
      await room.next('loud');
      await room.next('quiet');
      const finished = await room.next('finished');
      expect(finished).toMatchObject({ interrupted: true });
      expect(finished['playbackPosition']).toBeGreaterThan(0);
      expect(finished['playbackPosition']).toBeLessThan(9);
      room.command('count');
      expect(await room.next('count')).toMatchObject({ width: 640, height: 360 });
      await livekit.restart();
      await room.next('agent back');
      await room.next('seen');
      room.command('say 500');
      await room.next('loud');
      await room.next('said');
      expect(await room.next('finished')).toMatchObject({ playbackPosition: expect.closeTo(0.5), interrupted: false });
      const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/sessions');
      await service.api('POST', `/v1/sessions/${data[0]!.id}/stop`);
      await expect.poll(() => room.events.filter(left).length).toBeGreaterThan(0);
      expect(service.output()).not.toContain('eyJ');
    } finally {
      await room.close();
    }
  });

  (python === null ? it.skip : it)('is driven by the plugin for Python, too', { tags: ['nightly'] }, async () => {
    const room = await enter('python', 'agent.py');
    try {
      await expect.poll(() => room.output()).toContain('registered worker');
      await createRoom(livekit.env, 'python');
      expect(await room.next('finished')).toMatchObject({ playbackPosition: expect.closeTo(1), interrupted: false });
      const cut = await room.next('finished');
      expect(cut).toMatchObject({ interrupted: true });
      expect(cut['playbackPosition']).toBeGreaterThan(0);
      expect(cut['playbackPosition']).toBeLessThan(9);
      await room.next('done');
    } finally {
      await room.close();
    }
  });

  (python === null ? it.skip : it)('is the program of the guide as written', { tags: ['nightly'] }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-livekit-guide-'));
    try {
      await writeFile(join(folder, 'question.wav'), await spokenWav('When do you open in the morning?'));
      const output = await runPython([new URL('python/livekit_guide.py', import.meta.url).pathname], {
        interpreter: python!,
        env: {
          ...livekit.env,
          PARLEY_TEST_URL: service.url,
          PARLEY_TEST_KEY: service.apiKey,
          PARLEY_TEST_GUIDE: new URL('../docs/guides/livekit.md', import.meta.url).pathname,
          PARLEY_TEST_QUESTION: join(folder, 'question.wav'),
        },
      });
      expect(output.match(/^ok \w+$/gm)).toHaveLength(3);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is told by its plugin why an avatar cannot come', async () => {
    const room = await enter('nowhere', 'room.mjs', { AVATAR_ID: '00000000-0000-4000-8000-000000000000' });
    try {
      expect((await room.next('refused'))['message']).toContain('avatarId');
    } finally {
      await room.close();
    }
  });
});

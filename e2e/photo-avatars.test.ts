import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectSdk } from './support/sdk-session.ts';
import { uploadPortrait } from './support/upload-portrait.ts';
import { WITHOUT_RECOGNIZER, startService, type RunningService } from './support/service.ts';

const portrait = new URL('fixtures/portraits/grace-hopper.jpg', import.meta.url);

/** Talks with a persona that has the avatar. @returns what the browser decoded. */
async function seePersona(service: RunningService, avatarId: string): Promise<{ width: number; height: number }> {
  const session = await connectSdk(service, {
    personaConfig: {
      name: 'Grace',
      avatarId,
      skipGreeting: true,
      voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
    },
  });
  try {
    await session.until('video', (events) => events.some(({ event }) => event === 'VIDEO_PLAY_STARTED'));
    await expect.poll(async () => (await session.stats()).video?.framesDecoded ?? 0).toBeGreaterThan(25);
    const { video } = await session.stats();
    return { width: video?.frameWidth ?? 0, height: video?.frameHeight ?? 0 };
  } finally {
    await session.close();
  }
}

describe('an avatar made from a photo', () => {
  let dataDir: string;
  let service: RunningService;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parley-photos-'));
    service = await startService({ dataDir, env: WITHOUT_RECOGNIZER });
  });
  afterAll(async () => {
    await service?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('talks, is there after a restart, and is gone after a hard delete', async () => {
    const made = await uploadPortrait(service, new Uint8Array(await readFile(portrait)), 'Grace');
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const avatarId = made.body['id'] ?? '';
    for (const field of ['imageUrl', 'landscapeImageUrl', 'portraitImageUrl']) {
      const image = await fetch(made.body[field] ?? '');
      expect(image.status).toBe(200);
      expect(image.headers.get('content-type')).toBe('image/jpeg');
    }
    expect(await seePersona(service, avatarId)).toEqual({ width: 720, height: 480 });

    const [kept] = await readdir(join(dataDir, 'photo-avatars'));
    expect(kept).toBe(`photo-${avatarId}`);
    // A face is shown before it is drawn whole, and kept when it is.
    const prepared = (): Promise<string[]> => readdir(join(dataDir, 'photo-avatars', kept ?? '', 'prepared'));
    await expect.poll(prepared).not.toEqual([]);

    await service.kill();
    service = await startService({ dataDir, env: WITHOUT_RECOGNIZER });
    expect(await prepared()).not.toEqual([]);
    expect(await seePersona(service, avatarId)).toEqual({ width: 720, height: 480 });

    await service.api('DELETE', `/v1/avatars/${avatarId}?hard=true`);
    expect(await readdir(join(dataDir, 'photo-avatars'))).toEqual([]);
  });

  it('is refused with a sentence that helps', async () => {
    const empty = createCanvas(640, 480);
    empty.getContext('2d').fillStyle = 'teal';
    empty.getContext('2d').fillRect(0, 0, 640, 480);
    const refused = await uploadPortrait(service, new Uint8Array(empty.toBuffer('image/png')), 'Nobody');
    expect(refused.status).toBe(422);
    expect(refused.body['message']).toContain('No face was found');
  });
});

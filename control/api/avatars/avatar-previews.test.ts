import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PreviewRenderer } from '../../ports.ts';
import { Form } from '../../testing/form.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { IMAGE, STOCK } from '../../testing/stock.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

describeOnSqlite('the previews of an avatar', (stores) => {
  /** What was rendered. */
  const rendered: object[] = [];
  let broken = false;
  const video = async (
    kind: string,
    { path, signal, ...request }: Parameters<PreviewRenderer['idle']>[0],
  ): Promise<void> => {
    signal.throwIfAborted();
    if (broken) throw new Error('no room for the face');
    rendered.push({ kind, ...request });
    writeFileSync(path, `a video: ${kind}`);
  };
  const previewRenderer: PreviewRenderer = {
    idle: (request) => video('idle', request),
    introduction: (request) => video('introduction', request),
  };
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), { ports: { previewRenderer } });
  });
  afterAll(async () => service.close());
  beforeEach(() => rendered.splice(0));

  const avatar = async (id: string) =>
    (await service.send('GET', `/v1/avatars/${id}`)).body as { videoUrl: string | null; idleVideoUrl: string };
  const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');
  const watch = (url: string, headers?: Record<string, string>) =>
    service.send('GET', pathOf(url), undefined, null, headers);
  const previews = (): string[] =>
    existsSync(join(service.dataDir, 'blobs/films')) ? readdirSync(join(service.dataDir, 'blobs/films')) : [];

  it('are made when somebody first looks, once, and then kept', async () => {
    const { idleVideoUrl } = await avatar(STOCK.avatar);
    expect(rendered).toEqual([]);
    const answers = await Promise.all([
      watch(idleVideoUrl),
      watch(idleVideoUrl),
      watch((await avatar(STOCK.avatar)).idleVideoUrl),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, text: 'a video: idle', headers: { 'content-type': 'video/mp4' } });
      expect(answer.headers['content-disposition']).toMatch(/^inline/);
    }
    expect((await watch(idleVideoUrl, { range: 'bytes=2-6' })).text).toBe('video');
    expect(rendered).toEqual([{ kind: 'idle', engineKey: 'test-one', disclosure: false }]);
  });

  it('let it say who it is, with a voice that fits; where none is known to fit there is no such video', async () => {
    expect((await watch((await avatar(STOCK.avatar)).videoUrl!)).text).toBe('a video: introduction');
    expect(rendered).toEqual([
      { kind: 'introduction', engineKey: 'test-one', disclosure: false, displayName: 'Test Face', gender: 'female' },
    ]);
    expect((await avatar(STOCK.oldAvatar)).videoUrl).toBeNull();
  });

  it('of somebody’s image say that an AI is seen, and go with it for good', async () => {
    const form = new Form().field('displayName', 'Mira').file('imageFile', 'a.png', 'image/png', IMAGE);
    const { id, idleVideoUrl, videoUrl } = (await service.send('POST', '/v1/avatars', form)).body;
    expect(videoUrl).toBeNull();
    expect((await watch(idleVideoUrl)).status).toBe(200);
    expect(rendered).toEqual([{ kind: 'idle', engineKey: `made-${id}`, disclosure: true }]);
    expect(previews().some((name) => name.startsWith(id))).toBe(true);
    await service.send('DELETE', `/v1/avatars/${id}?hard=true`);
    expect((await watch(idleVideoUrl)).status).toBe(404);
    expect(previews().some((name) => name.startsWith(id))).toBe(false);
  });

  it('can be seen with their address only, for an hour', async () => {
    const { idleVideoUrl } = await avatar(STOCK.avatar);
    const path = pathOf(idleVideoUrl);
    expect((await service.send('GET', path.split('?')[0]!, undefined, null)).status).toBe(403);
    expect(
      (await service.send('GET', path.replace('avatar-idle', 'avatar-introduction'), undefined, null)).status,
    ).toBe(403);
    service.clock.now += 3_600_001;
    expect((await watch(idleVideoUrl)).status).toBe(403);
  });

  it('are tried again after a failure, which leaves nothing', async () => {
    const { idleVideoUrl } = await avatar(STOCK.oldAvatar);
    broken = true;
    expect((await watch(idleVideoUrl)).status).toBe(500);
    broken = false;
    expect(previews().some((name) => name.startsWith(STOCK.oldAvatar))).toBe(false);
    expect((await watch(idleVideoUrl)).status).toBe(200);
  });

  it('show a widget’s visitor the face that waits', async () => {
    const { id } = (
      await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar, widgetConfig: { allowEverywhere: true } })
    ).body;
    const { persona } = (await service.send('GET', `/v1/personas/${id}/widget`, undefined, null)).body;
    expect((await watch(persona.avatarVideoUrl)).text).toBe('a video: idle');
  });
});

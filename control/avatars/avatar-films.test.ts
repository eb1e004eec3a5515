import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AvatarFilmer } from '../ports.ts';
import { Form } from '../testing/form.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { IMAGE, STOCK } from '../testing/stock.ts';
import { describeOnSqlite } from '../testing/stores.ts';

describeOnSqlite('the films of an avatar', (stores) => {
  /** The recorded avatars. */
  const filmed: object[] = [];
  let broken = false;
  const film = async (
    kind: string,
    { path, signal, ...request }: Parameters<AvatarFilmer['idle']>[0],
  ): Promise<void> => {
    signal.throwIfAborted();
    if (broken) throw new Error('no room for the face');
    filmed.push({ kind, ...request });
    writeFileSync(path, `a film: ${kind}`);
  };
  const avatarFilmer: AvatarFilmer = {
    idle: (request) => film('idle', request),
    introduction: (request) => film('introduction', request),
  };
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), { ports: { avatarFilmer } });
  });
  afterAll(async () => service.close());
  beforeEach(() => filmed.splice(0));

  const avatar = async (id: string) =>
    (await service.send('GET', `/v1/avatars/${id}`)).body as { videoUrl: string | null; idleVideoUrl: string };
  const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');
  const watch = (url: string, headers?: Record<string, string>) =>
    service.send('GET', pathOf(url), undefined, null, headers);
  const films = (): string[] =>
    existsSync(join(service.dataDir, 'blobs/films')) ? readdirSync(join(service.dataDir, 'blobs/films')) : [];

  it('are made when somebody first looks, once, and then kept', async () => {
    const { idleVideoUrl } = await avatar(STOCK.avatar);
    expect(filmed).toEqual([]);
    const answers = await Promise.all([
      watch(idleVideoUrl),
      watch(idleVideoUrl),
      watch((await avatar(STOCK.avatar)).idleVideoUrl),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, text: 'a film: idle', headers: { 'content-type': 'video/mp4' } });
      expect(answer.headers['content-disposition']).toMatch(/^inline/);
    }
    expect((await watch(idleVideoUrl, { range: 'bytes=2-5' })).text).toBe('film');
    expect(filmed).toEqual([{ kind: 'idle', engineKey: 'test-one', disclosure: false }]);
  });

  it('let it say who it is, with a voice that fits; where none is known to fit there is no such film', async () => {
    expect((await watch((await avatar(STOCK.avatar)).videoUrl!)).text).toBe('a film: introduction');
    expect(filmed).toEqual([
      { kind: 'introduction', engineKey: 'test-one', disclosure: false, displayName: 'Test Face', gender: 'female' },
    ]);
    expect((await avatar(STOCK.oldAvatar)).videoUrl).toBeNull();
  });

  it('of somebody’s image say that an AI is seen, and go with it for good', async () => {
    const form = new Form().field('displayName', 'Mira').file('imageFile', 'a.png', 'image/png', IMAGE);
    const { id, idleVideoUrl, videoUrl } = (await service.send('POST', '/v1/avatars', form)).body;
    expect(videoUrl).toBeNull();
    expect((await watch(idleVideoUrl)).status).toBe(200);
    expect(filmed).toEqual([{ kind: 'idle', engineKey: `made-${id}`, disclosure: true }]);
    expect(films().some((name) => name.startsWith(id))).toBe(true);
    await service.send('DELETE', `/v1/avatars/${id}?hard=true`);
    expect((await watch(idleVideoUrl)).status).toBe(404);
    expect(films().some((name) => name.startsWith(id))).toBe(false);
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
    expect(films().some((name) => name.startsWith(STOCK.oldAvatar))).toBe(false);
    expect((await watch(idleVideoUrl)).status).toBe(200);
  });

  it('show a widget’s visitor the face that waits', async () => {
    const { id } = (
      await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar, widgetConfig: { allowEverywhere: true } })
    ).body;
    const { persona } = (await service.send('GET', `/v1/personas/${id}/widget`, undefined, null)).body;
    expect((await watch(persona.avatarVideoUrl)).text).toBe('a film: idle');
  });
});

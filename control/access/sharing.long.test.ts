import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';

describeOnBothDatabases('sharing a persona', (stores) => {
  let service: TestService;
  let bare: TestService;
  let personaId: string;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), { ports: { videos: { wake() {} } } });
    bare = await startTestService(await stores.open());
    personaId = await persona(service);
  });
  afterAll(async () => {
    await service.close();
    await bare.close();
  });

  const persona = async (on: TestService, body: object = {}) =>
    (await on.send('POST', '/v1/personas', { name: 'Guide', avatarId: STOCK.avatar, voiceId: STOCK.voice, ...body }))
      .body.id as string;

  it('makes, lists, changes and deletes share links', async () => {
    const made = await service.send('POST', '/v1/share-links', { personaId });
    expect(made).toMatchObject({
      status: 201,
      body: {
        type: 'LINK',
        usageLimit: 10,
        usageCount: 0,
        enabled: true,
        isPrimary: false,
        allowedOrigins: [],
        expiresAt: new Date(service.clock.now + 168 * 3_600_000).toISOString(),
      },
    });
    const { id } = made.body;
    expect((await service.send('GET', `/v1/share-links/${id}`)).body).toMatchObject({
      id,
      personaId,
      personaName: 'Guide',
      organizationId: service.organizationId,
    });
    expect((await service.send('GET', `/v1/share-links?personaId=${personaId}&search=GUI`)).body).toMatchObject({
      data: [{ id }],
      meta: { perPage: 20, total: 1 },
    });
    expect((await service.send('GET', `/v1/share-links?personaId=${randomUUID()}`)).body.data).toEqual([]);
    expect(
      (await service.send('PUT', `/v1/share-links/${id}`, { usageLimit: 3, expiresInHours: 1 })).body,
    ).toMatchObject({ usageLimit: 3, expiresAt: new Date(service.clock.now + 3_600_000).toISOString() });
    expect((await service.send('GET', `/v1/personas/${personaId}`)).body.shareLinks).toMatchObject([{ id }]);
    expect((await service.send('DELETE', `/v1/share-links/${id}`)).body).toEqual({
      message: 'Share link deleted successfully',
    });
    expect((await service.send('GET', `/v1/share-links/${id}`)).status).toBe(404);
    expect((await service.send('GET', '/v1/share-links/x')).status).toBe(400);
    for (const [body, status] of [
      [{}, 400],
      [{ personaId, usageLimit: 0 }, 400],
      [{ personaId, expiresInHours: -1 }, 400],
      [{ personaId: randomUUID() }, 404],
      [{ personaId: STOCK.voice }, 400],
    ] as const)
      expect((await service.send('POST', '/v1/share-links', body)).status).toBe(status);
  });

  it('orders, lists and cancels avatar videos', async () => {
    const made = await service.send('POST', '/v1/avatar-videos', {
      script: 'Welcome.',
      personaId,
      title: 'Hello',
      avatarModel: 'cara-4',
      videoWidth: 768,
      videoHeight: 1152,
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      status: 'queued',
      title: 'Hello',
      script: 'Welcome.',
      personaId,
      avatarId: STOCK.avatar,
      voiceId: STOCK.voice,
      avatarModel: 'cara-4',
      width: 768,
      height: 1152,
      fps: 25,
      videoUrl: null,
      completedAt: null,
    });
    const { id } = made.body;
    expect(
      (await service.send('POST', '/v1/avatar-videos', { script: 'Hi', avatarId: STOCK.avatar, voiceId: STOCK.voice }))
        .status,
    ).toBe(201);
    expect((await service.send('GET', '/v1/avatar-videos?search=hELL&status=queued')).body.data).toMatchObject([
      { id },
    ]);
    expect(await service.send('GET', `/v1/avatar-videos/${id}/download`)).toMatchObject({
      status: 409,
      body: { error: 'Video is not ready' },
    });
    expect((await service.send('DELETE', `/v1/avatar-videos/${id}`)).status).toBe(204);
    expect((await service.send('GET', `/v1/avatar-videos/${id}`)).body.status).toBe('cancelled');

    await service.blobs.write(`videos/${id}`, Buffer.from('mp4'));
    await service.store.db
      .updateTable('avatar_videos')
      .set({ status: 'completed', blob_key: `videos/${id}`, file_size: 3, duration_seconds: 1 })
      .where('id', '=', id)
      .execute();
    const { body } = await service.send('GET', `/v1/avatar-videos/${id}/download`);
    expect(body.filename).toBe('Hello.mp4');
    expect((await service.send('GET', body.downloadUrl.replace(/^https?:\/\/[^/]+/, ''), undefined, null)).text).toBe(
      'mp4',
    );
    expect((await service.send('DELETE', `/v1/avatar-videos/${id}`)).status).toBe(204);
    expect((await service.send('GET', `/v1/avatar-videos/${id}`)).status).toBe(404);
    expect(await service.blobs.size(`videos/${id}`)).toBeNull();

    const order = async (body: unknown) => (await service.send('POST', '/v1/avatar-videos', body)).status;
    for (const body of [
      {},
      { script: '' },
      { script: 'x' },
      { script: 'x', personaId, avatarId: STOCK.avatar },
      { script: 'x', avatarId: STOCK.avatar },
      { script: 'x'.repeat(10_001), personaId },
      { script: 'x', personaId, videoWidth: 10 },
    ])
      expect(await order(body)).toBe(400);
    expect(await order({ script: 'x', personaId: randomUUID() })).toBe(404);
    expect(
      (await bare.send('POST', '/v1/avatar-videos', { script: 'x', avatarId: STOCK.avatar, voiceId: STOCK.voice }))
        .status,
    ).toBe(403);
  });

  it('limits how many videos wait', async () => {
    const key = await service.keyWith(['avatar-videos'], 'film studio');
    const order = () =>
      service.send('POST', '/v1/avatar-videos', { script: 'x', avatarId: STOCK.avatar, voiceId: STOCK.voice }, key);
    await Promise.all(Array.from({ length: 100 }, order));
    expect(await order()).toMatchObject({ status: 429, body: { error: 'Video queue is full' } });
  });

  it('shows a widget to everybody and lets allowed web sites talk', async () => {
    const id = await persona(service, { widgetConfig: { allowedOrigins: ['shop.example.com'], layout: 'inline' } });
    expect((await service.send('GET', `/v1/personas/${id}/widget`, undefined, null)).body).toEqual({
      persona: { name: 'Guide', avatarImageUrl: expect.stringContaining(STOCK.avatar), avatarVideoUrl: null },
      widgetConfig: {
        layout: 'inline',
        initialState: 'expanded',
        position: 'bottom-right',
        showCaptions: false,
        showTextInput: true,
        showMuteButton: true,
        showTranscript: true,
        removeWatermark: false,
        callToAction: 'Talk to our assistant',
      },
    });
    const ask = (agentId: unknown, origin?: string) =>
      service.send('POST', '/v1/auth/widget', { agentId }, null, origin === undefined ? {} : { origin });
    const allowed = await ask(id, 'https://shop.example.com');
    expect(allowed.status, allowed.text).toBe(200);
    expect(decodeJwt(allowed.body.sessionToken)).toMatchObject({
      type: 'stateful',
      personaId: id,
      widgetConfig: { personaName: 'Guide', avatarVideoUrl: null, removeWatermark: false },
    });
    expect((await service.send('POST', '/v1/engine/session', {}, allowed.body.sessionToken)).status).toBe(200);
    for (const origin of [undefined, 'https://evil.example.com', 'null'])
      expect((await ask(id, origin)).status).toBe(403);
    expect((await ask(randomUUID(), 'https://shop.example.com')).status).toBe(404);
    // They were answered with 400 and a regular expression.
    for (const agentId of ['no spaces please', '', 'x'.repeat(129)])
      expect(await ask(agentId, 'https://shop.example.com')).toMatchObject({
        status: 404,
        body: { error: 'Persona not found' },
      });
    expect((await service.send('GET', '/v1/personas/x/widget', undefined, null)).status).toBe(404);
  });

  it('tells strangers nothing of a persona that no web site may show, and web sites nothing of one that is not theirs', async () => {
    const secret = await persona(service, { name: 'Takeover of Example Inc.' });
    const shown = await persona(service, { widgetConfig: { allowedOrigins: ['shop.example.com'] } });
    const look = (id: string, headers = {}) =>
      service.send('GET', `/v1/personas/${id}/widget`, undefined, null, headers);
    for (const answer of [
      await look(secret),
      await look(secret, { origin: 'https://shop.example.com' }),
      await look(shown, { origin: 'https://evil.example.com' }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { error: 'Origin not allowed' } });
      expect(answer.text).not.toMatch(/Takeover|Guide/);
    }
    expect((await look(shown, { origin: 'https://shop.example.com' })).status).toBe(200);
  });

  it('tells visitors that a persona is not available, not what is wrong with its settings', async () => {
    const id = await persona(service, { avatarModel: 'cara-4-latest', widgetConfig: { allowEverywhere: true } });
    const headers = { origin: 'https://shop.example.com' };
    const { sessionToken } = (await service.send('POST', '/v1/auth/widget', { agentId: id }, null, headers)).body;
    await service.store.db.updateTable('personas').set({ voice_id: randomUUID() }).where('id', '=', id).execute();
    for (const answer of [
      await service.send('POST', '/v1/auth/widget', { agentId: id }, null, headers),
      await service.send('POST', '/v1/engine/session', {}, sessionToken),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.body).toEqual({
        error: 'Persona is not available',
        message: 'Conversations with this persona are not possible at present.',
      });
    }
    // Its owner is told.
    expect(
      (await service.send('POST', '/v1/engine/session', { personaConfig: { personaId: id } })).body.details[0].message,
    ).toContain('voiceId');
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VoiceCloner } from '../ports.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { Form } from '../testing/form.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';

describeOnBothDatabases('voices', (stores) => {
  let service: TestService;
  let cloning: TestService;
  const received: { name: string; bytes: number; enhance: boolean }[] = [];
  const voiceCloner: VoiceCloner = {
    provider: 'FISH_AUDIO',
    engineProvider: 'FISH_AUDIO',
    family: 'fish',
    async clone({ name, audio, enhance }) {
      received.push({ name, bytes: audio.byteLength, enhance });
      return { providerVoiceId: 'cloned-1', providerModelId: null };
    },
  };
  beforeAll(async () => {
    const store = await stores.open();
    service = await startTestService(store);
    cloning = await startTestService(await stores.open(), { ports: { voiceCloner } });
  });
  afterAll(async () => {
    await service.close();
    await cloning.close();
  });

  it('lists and reads the built-in ones, which nobody changes', async () => {
    expect((await service.send('GET', '/v1/voices')).body).toMatchObject({
      data: [{ id: STOCK.voice, createdByOrganizationId: null }, { id: STOCK.cloudVoice }],
      meta: { total: 2 },
    });
    expect((await service.send('GET', '/v1/voices?search=cLoUd')).body.data).toHaveLength(1);
    expect((await service.send('GET', '/v1/voices?page=2&perPage=1')).body).toMatchObject({
      data: [{ id: STOCK.cloudVoice }],
      meta: { prev: 1, next: null },
    });
    expect((await service.send('GET', `/v1/voices/${STOCK.voice}`)).body.displayName).toBe('Test Voice');
    expect((await service.send('PUT', `/v1/voices/${STOCK.voice}`, { displayName: 'x' })).status).toBe(403);
    expect((await service.send('DELETE', `/v1/voices/${STOCK.voice}`)).status).toBe(403);
  });

  it('tells malformed ids from unknown ones', async () => {
    expect((await service.send('GET', '/v1/voices/nope')).status).toBe(400);
    expect(await service.send('GET', `/v1/voices/${randomUUID()}`)).toMatchObject({
      status: 404,
      body: { error: 'Voice not found' },
    });
  });

  it('says so when no provider can clone', async () => {
    const answer = await service.send(
      'POST',
      '/v1/voices',
      new Form().field('name', 'Me').file('audioFile', 'me.wav', 'audio/wav', 'RIFF'),
    );
    expect(answer).toMatchObject({
      status: 403,
      body: { error: 'Forbidden', message: expect.stringContaining('cloning is not available') },
    });
  });

  it('clones from a form, then changes and deletes the copy', async () => {
    const made = await cloning.send(
      'POST',
      '/v1/voices',
      new Form().field('name', 'Me').field('enhance', 'false').file('audioFile', 'me.wav', 'audio/wav', 'RIFFdata'),
    );
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      displayName: 'Me',
      provider: 'FISH_AUDIO',
      providerVoiceId: 'cloned-1',
      createdByOrganizationId: cloning.organizationId,
    });
    expect(received.at(-1)).toEqual({ name: 'Me', bytes: 8, enhance: false });
    const changed = await cloning.send('PUT', `/v1/voices/${made.body.id}`, {
      displayName: 'I',
      gender: 'FEMALE',
      country: 'gb',
      description: null,
    });
    expect(changed.body).toMatchObject({ displayName: 'I', gender: 'female', country: 'GB', description: null });
    expect((await cloning.send('PUT', `/v1/voices/${made.body.id}`, {})).status).toBe(400);
    expect(
      (await cloning.send('PUT', `/v1/voices/${made.body.id}`, { displayName: 'I', gender: 'other' })).status,
    ).toBe(400);
    expect((await cloning.send('GET', '/v1/voices')).body.data[0].id).toBe(made.body.id);
    expect((await cloning.send('DELETE', `/v1/voices/${made.body.id}`)).body).toEqual({
      message: 'Voice deleted successfully',
    });
    expect((await cloning.send('GET', `/v1/voices/${made.body.id}`)).status).toBe(404);
  });

  it('clones from a signed upload', async () => {
    const presigned = await cloning.send('POST', '/v1/voices/presigned-upload', {
      filename: 'me.mp3',
      contentType: 'audio/mpeg',
      fileSize: 6,
    });
    expect(presigned.status, presigned.text).toBe(200);
    expect(
      (await cloning.send('POST', '/v1/voices', { name: 'Early', audioKey: presigned.body.audioKey })).body.details[0]
        .path,
    ).toBe('audioKey');
    const path = presigned.body.uploadUrl.replace(/^https?:\/\/[^/]+/, '');
    expect(
      (await cloning.send('PUT', path, Buffer.from('abcdef'), null, { 'content-type': 'text/plain' })).status,
    ).toBe(403);
    expect(
      (await cloning.send('PUT', path, Buffer.from('abcdefg'), null, { 'content-type': 'audio/mpeg' })).status,
    ).toBe(413);
    expect(
      (await cloning.send('PUT', path, Buffer.from('abcdef'), null, { 'content-type': 'audio/mpeg' })).status,
    ).toBe(200);
    expect((await cloning.send('POST', '/v1/voices', { name: 'Me', audioKey: presigned.body.audioKey })).status).toBe(
      201,
    );
    expect(
      (await cloning.send('POST', '/v1/voices', { name: 'Thief', audioKey: presigned.body.audioKey }, cloning.otherKey))
        .status,
    ).toBe(400);
  });

  it('limits samples', async () => {
    for (const body of [
      { filename: 'a', contentType: 'video/mp4', fileSize: 1 },
      { filename: 'a', contentType: 'audio/wav', fileSize: 52_428_801 },
      {},
    ]) {
      expect((await cloning.send('POST', '/v1/voices/presigned-upload', body)).status).toBe(400);
    }
    expect(
      (
        await cloning.send(
          'POST',
          '/v1/voices',
          new Form().field('name', 'Me').file('audioFile', 'a.wav', 'audio/wav', Buffer.alloc(4_800_000)),
        )
      ).status,
    ).toBe(413);
    expect((await cloning.send('POST', '/v1/voices', new Form().field('name', 'Me'))).body.details[0].path).toBe(
      'audioFile',
    );
    expect((await cloning.send('POST', '/v1/voices', { name: 'Me' })).body.details[0].path).toBe('audioKey');
  });
});

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { VoiceCloningError } from '../../ports.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { FakeCloner } from '../../testing/fake-cloner.ts';
import { Form } from '../../testing/form.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';

describeOnBothDatabases('voices', (stores) => {
  let service: TestService;
  let cloning: TestService;
  const cloner = new FakeCloner();
  const second = new FakeCloner('CARTESIA', ['en', 'fr']);
  beforeAll(async () => {
    const store = await stores.open();
    service = await startTestService(store);
    cloning = await startTestService(await stores.open(), { ports: { voiceCloners: [cloner, second] } });
  });
  afterAll(async () => {
    await service.close();
    await cloning.close();
  });
  beforeEach(() => {
    cloner.failure = null;
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

  it('can be filtered by language, gender and provider', async () => {
    const names = async (query: string): Promise<string[]> =>
      (await service.send('GET', `/v1/voices?${query}`)).body.data.map(
        (voice: { displayName: string }) => voice.displayName,
      );
    expect(await names('language=EN')).toEqual(['Test Voice', 'Cloud Voice']);
    expect(await names('language=de')).toEqual(['Cloud Voice']);
    expect(await names('gender=FEMALE')).toEqual(['Test Voice']);
    expect(await names('provider=ELEVENLABS&language=de')).toEqual(['Cloud Voice']);
    expect(await names('provider=NONE')).toEqual([]);
    expect((await service.send('GET', '/v1/voices?language=german')).status).toBe(400);
    expect((await service.send('GET', '/v1/voices?gender=other')).status).toBe(400);
  });

  it('tell what can be done with them', async () => {
    expect((await service.send('GET', '/v1/voices/options')).body).toEqual({
      providers: ['ELEVENLABS', 'LOCAL'],
      languages: ['de', 'en'],
      longestPreview: 300,
      cloning: {
        available: false,
        reason: expect.stringContaining('Voice cloning is not available'),
        largestRecording: 52_428_800,
        services: [],
      },
    });
    expect((await cloning.send('GET', '/v1/voices/options')).body.cloning).toMatchObject({
      available: true,
      reason: null,
      services: [
        { provider: 'ELEVENLABS', advice: 'A minute of speech.', languages: null },
        { provider: 'CARTESIA', languages: ['en', 'fr'] },
      ],
    });
  });

  it('are not copied where no service can, which is said before the recording is read', async () => {
    const refused = { status: 403, body: { message: expect.stringContaining('Voice cloning is not available') } };
    expect(
      await service.send(
        'POST',
        '/v1/voices',
        new Form().field('name', 'Me').file('audioFile', 'me.wav', 'audio/wav', 'RIFF'),
      ),
    ).toMatchObject(refused);
    // Not even what could not be read.
    expect(await service.send('POST', '/v1/voices', '{broken')).toMatchObject(refused);
    expect(await service.send('POST', '/v1/voices/presigned-upload', {})).toMatchObject(refused);
    expect(await service.send('POST', '/v1/voices', '{broken', null)).toMatchObject({ status: 401 });
  });

  it('clones from a form, then changes and deletes the copy', async () => {
    const made = await cloning.send(
      'POST',
      '/v1/voices',
      new Form()
        .field('name', 'Me')
        .field('enhance', 'false')
        .field('language', 'de-AT')
        .field('description', 'Mine')
        .file('audioFile', '../../my voice.wav', 'audio/wav', 'RIFF....WAVEdata'),
    );
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      displayName: 'Me',
      provider: 'ELEVENLABS',
      providerVoiceId: 'cloned-1',
      createdByOrganizationId: cloning.organizationId,
    });
    expect(cloner.made.at(-1)).toEqual({
      name: 'Me',
      description: 'Mine',
      organizationId: cloning.organizationId,
      language: 'de',
      enhance: false,
      filename: 'my_voice.wav',
      contentType: 'audio/wav',
      recording: 'RIFF....WAVEdata',
    });
    expect(left()).toEqual([]);
    expect((await cloning.send('GET', '/v1/voices?language=de&provider=ELEVENLABS&gender=male')).body.data).toEqual([]);
    expect((await cloning.send('GET', '/v1/voices?language=de')).body.data[0].id).toBe(made.body.id);
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
    expect(cloner.removed).toEqual(['cloned-1']);
  });

  it('speak by the model that they have, unless a persona names another', async () => {
    const { body: voice } = await copy();
    const modelOf = async (options: object): Promise<unknown> => {
      const personaConfig = { avatarId: STOCK.avatar, voiceId: voice.id, ...options };
      const { body } = await cloning.send('POST', '/v1/engine/session', { personaConfig });
      return cloning.engine.live.get(body.sessionId)?.config.voice.tuning.model;
    };
    const change = (providerModelId: string | null) =>
      cloning.send('PUT', `/v1/voices/${voice.id}`, { displayName: 'Me', providerModelId });
    expect(await modelOf({})).toBeUndefined();
    expect((await change('flash')).body.providerModelId).toBe('flash');
    expect(await modelOf({})).toBe('flash');
    expect(await modelOf({ voiceGenerationOptions: { model: 'slow' } })).toBe('slow');
    expect((await change('')).status).toBe(400);
    expect((await change(null)).body.providerModelId).toBe(null);
    expect(await modelOf({})).toBeUndefined();
  });

  const copy = (fields: Record<string, string> = {}) => {
    const form = new Form().field('name', 'Me');
    for (const [name, value] of Object.entries(fields)) form.field(name, value);
    return cloning.send('POST', '/v1/voices', form.file('audioFile', 'me.wav', 'audio/wav', 'RIFF....WAVE'));
  };
  /** Recordings that are on disk. */
  const left = (): string[] =>
    ['.incoming', 'samples'].flatMap((folder) => {
      const path = join(cloning.dataDir, 'blobs', folder);
      return existsSync(path) ? readdirSync(path) : [];
    });

  it('are copied by the service that is named, in a language that it has', async () => {
    expect((await copy({ provider: 'CARTESIA', language: 'fr' })).body.provider).toBe('CARTESIA');
    expect(second.made.at(-1)?.language).toBe('fr');
    expect((await copy({ provider: 'CARTESIA', language: 'de' })).body.details[0]).toMatchObject({
      path: 'language',
      message: 'must be one of en, fr for CARTESIA',
    });
    expect((await copy({ provider: 'OPENAI' })).body.details[0].path).toBe('provider');
    expect(left()).toEqual([]);
  });

  it.each([
    ['request', 400, 'Recording not accepted'],
    ['plan', 403, 'Forbidden'],
    ['busy', 429, 'Voice cloning is busy'],
    ['failed', 502, 'Voice service failed'],
  ] as const)('say why the service did not copy them: %s', async (problem, status, error) => {
    cloner.failure = new VoiceCloningError(problem, 'The service says so.');
    expect(await copy()).toMatchObject({ status, body: { error, message: 'The service says so.' } });
    expect(left()).toEqual([]);
  });

  it('stay when the service does not delete the copy, so that it can be tried again', async () => {
    const made = await copy();
    cloner.failure = new VoiceCloningError('failed', 'ElevenLabs could not be reached.');
    expect(await cloning.send('DELETE', `/v1/voices/${made.body.id}`)).toMatchObject({
      status: 502,
      body: { message: 'ElevenLabs could not be reached.' },
    });
    expect((await cloning.send('GET', `/v1/voices/${made.body.id}`)).status).toBe(200);
    cloner.failure = null;
    expect((await cloning.send('DELETE', `/v1/voices/${made.body.id}`)).status).toBe(200);
    expect(cloner.removed.at(-1)).toBe(made.body.providerVoiceId);
  });

  it('go even if nothing can reach their service any more', async () => {
    const made = await copy();
    const row = await cloning.store.db
      .selectFrom('voices')
      .selectAll()
      .where('id', '=', made.body.id)
      .executeTakeFirst();
    await service.store.db
      .insertInto('voices')
      .values({ ...row!, organization_id: service.organizationId })
      .execute();
    expect((await service.send('DELETE', `/v1/voices/${made.body.id}`)).status).toBe(200);
  });

  it('are not copied while too many recordings wait', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    cloner.ready = promise;
    const waiting = Array.from({ length: 10 }, () => copy());
    await expect.poll(async () => (await cloning.send('POST', '/v1/voices/presigned-upload', {})).status).toBe(429);
    resolve();
    expect((await Promise.all(waiting)).every(({ status }) => status === 201)).toBe(true);
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
      (await cloning.send('PUT', path, Buffer.from('ID3def'), null, { 'content-type': 'text/plain' })).status,
    ).toBe(403);
    expect(
      (await cloning.send('PUT', path, Buffer.from('ID3defg'), null, { 'content-type': 'audio/mpeg' })).status,
    ).toBe(413);
    expect(
      (await cloning.send('PUT', path, Buffer.from('ID3def'), null, { 'content-type': 'audio/mpeg' })).status,
    ).toBe(200);
    const audioKey: string = presigned.body.audioKey;
    const clone = (key?: string) => cloning.send('POST', '/v1/voices', { name: 'Me', audioKey }, key);
    expect((await clone(cloning.otherKey)).status).toBe(400);
    cloner.failure = new VoiceCloningError('busy', 'Later.');
    expect((await clone()).status).toBe(429);
    cloner.failure = null;
    // What was uploaded is still there, and goes once it is copied.
    expect((await clone()).status).toBe(201);
    expect(cloner.made.at(-1)).toMatchObject({ filename: 'me.mp3', contentType: 'audio/mpeg', recording: 'ID3def' });
    expect(left()).toEqual([]);
    expect((await clone()).status).toBe(400);
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

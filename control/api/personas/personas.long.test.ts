import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';

describeOnBothDatabases('personas', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());

  const create = async (body: unknown = {}) => {
    const made = await service.send('POST', '/v1/personas', body);
    expect(made.status, made.text).toBe(201);
    return made.body;
  };
  const detailsFor = async (body: unknown, method = 'POST', url = '/v1/personas') => {
    const answer = await service.send(method, url, body);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.error).toBe('Validation error');
    return answer.body.details as { path: string; message: string; code: string }[];
  };

  it('fills in the defaults of an empty persona', async () => {
    expect(await create()).toMatchObject({
      name: 'Untitled persona',
      description: null,
      personaPreset: '',
      avatar: null,
      avatarModel: null,
      voice: null,
      voiceSpeed: 1,
      llmId: STOCK.llm,
      brain: { systemPrompt: '', personality: null },
      tools: [],
      toolIds: [],
      knowledge: [],
      shareLinks: [],
      primaryShareLink: null,
      skipGreeting: false,
      uninterruptibleGreeting: false,
      initialMessage: null,
      zeroDataRetention: false,
      languageCode: 'inherit',
      directorNotes: null,
      maxSessionLengthSeconds: null,
      widgetConfig: {},
      enableAudioPassthrough: false,
      voiceDetectionOptions: null,
      voiceGenerationOptions: null,
      isDefaultPersona: false,
    });
  });

  it('creates, reads, lists, changes and deletes', async () => {
    const made = await create({
      name: 'Ada',
      avatarId: STOCK.avatar,
      voiceId: STOCK.voice,
      languageCode: 'de-AT',
      unknownField: 1,
      directorNotes: { expresivity: 1 },
      variables: [{ name: 'guest', defualt: 'Ann' }],
      brain: { personalty: 'calm' },
    });
    expect(made).toMatchObject({
      name: 'Ada',
      languageCode: 'de',
      avatar: { id: STOCK.avatar },
      voice: { id: STOCK.voice, gender: 'female' },
    });
    const { warnings, ...kept } = made;
    expect(warnings).toEqual(
      [
        'unknownField: there is no such field',
        'directorNotes.expresivity: there is no such field',
        'variables.0.defualt: there is no such field (did you mean default?)',
        'brain.personalty: there is no such field (did you mean personality?)',
      ].map((warning) => `${warning}; it was not kept`),
    );
    expect((await service.send('GET', `/v1/personas/${made.id}`)).body).toEqual(kept);
    const listed = await service.send('GET', '/v1/personas?search=aDa&perPage=1');
    expect(listed.body).toMatchObject({
      data: [{ id: made.id, description: '' }],
      meta: { total: 1, lastPage: 1, currentPage: 1, perPage: 1, prev: null, next: null },
    });
    const changed = await service.send('PUT', `/v1/personas/${made.id}`, { description: 'x', skipGreeting: true });
    expect(changed.body).toMatchObject({ name: 'Ada', description: 'x', skipGreeting: true });
    expect(changed.body).not.toHaveProperty('warnings');
    const misspelled = await service.send('PUT', `/v1/personas/${made.id}`, { brain: { sytemPrompt: 'x' } });
    expect(misspelled.body.warnings).toEqual([
      'brain.sytemPrompt: there is no such field (did you mean systemPrompt?); it was not kept',
    ]);
    expect((await service.send('PUT', `/v1/personas/${made.id}`, { description: null })).body.description).toBeNull();
    expect(await service.send('DELETE', `/v1/personas/${made.id}`)).toMatchObject({
      status: 200,
      body: { message: 'Persona deleted' },
    });
    expect(await service.send('GET', `/v1/personas/${made.id}`)).toMatchObject({
      status: 404,
      body: { error: 'Persona not found' },
    });
    expect((await service.send('PUT', `/v1/personas/${made.id}`, {})).status).toBe(404);
    expect((await service.send('DELETE', '/v1/personas/not-a-uuid')).status).toBe(404);
  });

  it('keeps whether sessions are recorded, which a session may say otherwise', async () => {
    const made = await create({ avatarId: STOCK.avatar, enableSessionReplay: false });
    expect(made.enableSessionReplay).toBe(false);
    const recorded = async (personaConfig: object, sessionOptions?: object) => {
      const { body } = await service.send('POST', '/v1/engine/session', {
        personaConfig: { personaId: made.id, ...personaConfig },
        ...(sessionOptions && { sessionOptions }),
      });
      return service.engine.live.get(body.sessionId)!.config.recordingEnabled;
    };
    expect(await recorded({})).toBe(false);
    expect(await recorded({ enableSessionReplay: true })).toBe(true);
    expect(await recorded({}, { sessionReplay: { enableSessionReplay: true } })).toBe(true);
    expect(
      (await service.send('PUT', `/v1/personas/${made.id}`, { enableSessionReplay: true })).body.enableSessionReplay,
    ).toBe(true);
    expect(await recorded({})).toBe(true);
    expect(await recorded({ enableSessionReplay: false })).toBe(false);
    // An option that says nothing brings no recording back.
    expect(await recorded({ enableSessionReplay: false }, { sessionReplay: {} })).toBe(false);
    expect(await recorded({}, { sessionReplay: { enableSessionReplay: false } })).toBe(false);
    expect((await create()).enableSessionReplay).toBe(true);
  });

  it('takes the old name of the LLM field, and old names of LLMs', async () => {
    expect((await create({ brainType: 'CUSTOMER_CLIENT_V1' })).llmId).toBe('CUSTOMER_CLIENT_V1');
    expect((await create({ brainType: 'nonsense', llmId: 'SERVICE_LLAMA_v3_3_70B_V1' })).llmId).toBe(
      'SERVICE_LLAMA_v3_3_70B_V1',
    );
    expect((await detailsFor({ brainType: 'ENTIRELY_UNKNOWN_V9' }))[0]).toMatchObject({
      path: 'brainType',
      message: 'LLM not found',
    });
  });

  it('lets a persona keep a deprecated LLM but not take one', async () => {
    expect((await detailsFor({ llmId: STOCK.deprecatedLlm }))[0]).toMatchObject({ path: 'llmId' });
    const made = await create();
    await service.store.db
      .updateTable('personas')
      .set({ llm_id: STOCK.deprecatedLlm })
      .where('id', '=', made.id)
      .execute();
    expect(
      (await service.send('PUT', `/v1/personas/${made.id}`, { llmId: STOCK.deprecatedLlm, name: 'kept' })).status,
    ).toBe(200);
  });

  it('accepts a model that the avatar has, clears it by null and with another avatar', async () => {
    const made = await create({ avatarId: STOCK.avatar, avatarModel: 'cara-4' });
    expect(made.avatarModel).toBe('cara-4');
    expect((await service.send('PUT', `/v1/personas/${made.id}`, { avatarModel: null })).body.avatarModel).toBeNull();
    await service.send('PUT', `/v1/personas/${made.id}`, { avatarModel: 'cara-4' });
    expect(
      (await service.send('PUT', `/v1/personas/${made.id}`, { avatarId: STOCK.oldAvatar })).body.avatarModel,
    ).toBeNull();
    expect((await detailsFor({ avatarId: STOCK.avatar, avatarModel: 'cara-2' }))[0]!.path).toBe('avatarModel');
    expect((await detailsFor({ avatarModel: 'cara-9' }))[0]).toMatchObject({
      path: 'avatarModel',
      code: 'invalid_enum_value',
    });
  });

  it('gates the newest model and zero retention by entitlement, after the fields are right', async () => {
    const plain = await service.keyWith(['personas'], 'plain', []);
    expect(
      (await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar, avatarModel: 'cara-4-latest' }, plain))
        .status,
    ).toBe(403);
    expect(
      (await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar, avatarModel: 'cara-4-latest' })).status,
    ).toBe(201);
    expect(
      (await service.send('POST', '/v1/personas', { zeroDataRetention: true, voiceId: STOCK.voice }, plain)).status,
    ).toBe(403);
    expect((await service.send('POST', '/v1/personas', { zeroDataRetention: true, voiceId: STOCK.voice })).status).toBe(
      201,
    );
    expect((await detailsFor({ zeroDataRetention: true, voiceId: STOCK.cloudVoice }))[0]!.path).toBe(
      'zeroDataRetention',
    );
  });

  it('explains ids of the wrong kind and unknown ones', async () => {
    expect((await detailsFor({ avatarId: STOCK.voice }))[0]).toMatchObject({
      path: 'avatarId',
      message: 'avatarId is the id of a voice; pass it as voiceId',
    });
    expect((await detailsFor({ voiceId: STOCK.avatar }))[0]).toMatchObject({
      path: 'voiceId',
      message: 'voiceId is the id of an avatar; pass it as avatarId',
    });
    expect((await detailsFor({ llmId: STOCK.voice }))[0]!.message).toContain('pass it as voiceId');
    expect((await detailsFor({ avatarId: randomUUID() }))[0]).toMatchObject({
      path: 'avatarId',
      message: 'Avatar not found',
    });
    expect((await detailsFor({ toolIds: [STOCK.voice] }))[0]).toMatchObject({
      path: 'toolIds.0',
      message: 'toolIds is the id of a voice; pass it as voiceId',
    });
    expect((await detailsFor({ avatarId: 'x' }))[0]).toMatchObject({ path: 'avatarId', code: 'invalid_string' });
  });

  it('refuses unknown keys on PUT, naming each, but not on POST', async () => {
    const made = await create({ surprise: true });
    expect(await detailsFor({ surprise: true, brainType: STOCK.llm }, 'PUT', `/v1/personas/${made.id}`)).toEqual([
      { path: 'surprise', message: 'Unrecognized key "surprise"', code: 'unrecognized_keys' },
    ]);
  });

  it('checks the ranges of the voice options, by the family of the voice', async () => {
    expect(
      (
        await create({
          voiceDetectionOptions: {
            endOfSpeechSensitivity: 1,
            silenceBeforeSkipTurnSeconds: 0,
            silenceBeforeSessionEndSeconds: 7200,
            silenceBeforeAutoEndTurnSeconds: 0.5,
            speechEnhancementLevel: 0,
          },
        })
      ).voiceDetectionOptions,
    ).toMatchObject({ silenceBeforeSkipTurnSeconds: 0 });
    for (const [field, value] of [
      ['endOfSpeechSensitivity', 1.1],
      ['silenceBeforeSkipTurnSeconds', 901],
      ['silenceBeforeSessionEndSeconds', -1],
      ['silenceBeforeAutoEndTurnSeconds', 0.4],
      ['speechEnhancementLevel', 2],
    ] as const) {
      expect((await detailsFor({ voiceDetectionOptions: { [field]: value } }))[0]).toMatchObject({
        path: `voiceDetectionOptions.${field}`,
        code: expect.stringMatching(/too_(small|big)/),
      });
    }
    expect((await create({ voiceGenerationOptions: { speed: 2, emotion: 'sad' } })).voiceSpeed).toBe(2);
    expect((await detailsFor({ voiceId: STOCK.cloudVoice, voiceGenerationOptions: { speed: 2 } }))[0]).toMatchObject({
      path: 'voiceGenerationOptions.speed',
      code: 'too_big',
    });
    expect((await detailsFor({ voiceGenerationOptions: { loudness: 2 } }))[0]).toMatchObject({
      path: 'voiceGenerationOptions.loudness',
      code: 'unrecognized_keys',
    });
    const made = await create({ voiceId: STOCK.cloudVoice, voiceGenerationOptions: { speed: 0.8 } });
    expect(
      (await service.send('PUT', `/v1/personas/${made.id}`, { voiceId: STOCK.voice })).body.voiceGenerationOptions,
    ).toBeNull();
  });

  it('merges widget settings key by key and normalizes origins', async () => {
    const made = await create({
      widgetConfig: { allowedOrigins: ['shop.example.com', 'http://localhost:3000'], layout: 'inline' },
    });
    expect(made.widgetConfig).toEqual({
      allowedOrigins: ['https://shop.example.com', 'http://localhost:3000'],
      layout: 'inline',
    });
    expect(
      (await service.send('PUT', `/v1/personas/${made.id}`, { widgetConfig: { allowEverywhere: true } })).body
        .widgetConfig,
    ).toMatchObject({ layout: 'inline', allowEverywhere: true });
    expect((await detailsFor({ widgetConfig: { allowedOrigins: ['https://a.example/path'] } }))[0]!.path).toBe(
      'widgetConfig.allowedOrigins.0',
    );
  });

  /** Once the options had a speed, `voiceSpeed` was accepted with 200 and had no effect. */
  it('voiceSpeed is another name of voiceGenerationOptions.speed: the last one written counts', async () => {
    const { id } = await create({ voiceGenerationOptions: { speed: 1.1, stability: 0.5 } });
    const put = async (body: unknown) => {
      const { voiceSpeed, voiceGenerationOptions } = (await service.send('PUT', `/v1/personas/${id}`, body)).body;
      return { voiceSpeed, voiceGenerationOptions };
    };
    const both = (speed: number, others: object = {}) => ({
      voiceSpeed: speed,
      voiceGenerationOptions: { ...others, speed },
    });
    expect(await put({ voiceSpeed: 1.4 })).toEqual(both(1.4, { stability: 0.5 }));
    expect(await put({ voiceGenerationOptions: { speed: 0.9 } })).toEqual(both(0.9));
    expect(await put({ voiceSpeed: 1 })).toEqual(both(1));
    expect(await put({ voiceSpeed: 1.3, voiceGenerationOptions: { speed: 1.2 } })).toEqual(both(1.2));
    expect(await put({ voiceSpeed: 1.3, voiceGenerationOptions: { stability: 1 } })).toEqual(
      both(1.3, { stability: 1 }),
    );
    const without = { voiceSpeed: 1, voiceGenerationOptions: null };
    expect(await put({ voiceGenerationOptions: null })).toEqual(without);
    expect(await put(without)).toEqual(without);
    expect(await put({ voiceSpeed: 1.3 })).toEqual(both(1.3));
    expect(await put({ voiceId: STOCK.cloudVoice })).toEqual(without);
    expect(await put({ voiceSpeed: 1.1 })).toEqual(both(1.1));
    expect(await put({ voiceSpeed: null })).toEqual(without);
  });

  /** Older versions kept it in a column of its own. */
  it('a speed that an older version stored counts until another one is written', async () => {
    const { id } = await create();
    await service.store.db.updateTable('personas').set({ voice_speed: 1.2 }).where('id', '=', id).execute();
    expect((await service.send('PUT', `/v1/personas/${id}`, { name: 'Ada' })).body.voiceSpeed).toBe(1.2);
    expect((await service.send('PUT', `/v1/personas/${id}`, { voiceSpeed: 1 })).body.voiceSpeed).toBe(1);
  });

  it('replaces its tools, and shows the knowledge that they reach', async () => {
    const group = await service.send('POST', '/v1/knowledge/groups', { name: 'House' });
    const rag = await service.send('POST', '/v1/tools', {
      name: 'look_up',
      description: 'd',
      type: 'SERVER_RAG',
      config: { documentFolderIds: [group.body.id] },
    });
    const made = await create({ toolIds: [rag.body.id] });
    expect(made).toMatchObject({
      toolIds: [rag.body.id],
      tools: [{ id: rag.body.id, usageCount: 1 }],
      knowledge: [{ id: group.body.id, documentCount: 0 }],
    });
    expect((await create({ tools: [{ id: rag.body.id }] })).toolIds).toEqual([rag.body.id]);
    expect((await service.send('PUT', `/v1/personas/${made.id}`, { name: 'same' })).body.toolIds).toEqual([
      rag.body.id,
    ]);
    expect((await service.send('PUT', `/v1/personas/${made.id}`, { toolIds: [] })).body.tools).toEqual([]);
  });

  it('reports bad paging', async () => {
    for (const query of ['page=0', 'perPage=101', 'page=x', 'perPage=1.5', 'page=-1'])
      expect((await service.send('GET', `/v1/personas?${query}`)).status).toBe(400);
    expect(await service.send('GET', '/v1/personas?page=999')).toMatchObject({ status: 200, body: { data: [] } });
  });
});

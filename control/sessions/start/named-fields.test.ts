import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

/** Fields that were accepted but had no effect. */
describeOnSqlite('a field of a persona', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());

  const start = (personaConfig: object, sessionOptions: object = {}) =>
    service.send('POST', '/v1/engine/session', { personaConfig, sessionOptions });
  const configOf = (sessionId: string) => service.engine.live.get(sessionId)!.config;
  const styled = {
    avatarId: STOCK.avatar,
    avatarModel: 'cara-4',
    directorNotes: { customStylePrompt: 'Like a radio host at night.' },
  };

  it('customStylePrompt reaches the engine, and is seen with the session', async () => {
    const { body } = await start(styled);
    expect(configOf(body.sessionId).directorNotes).toEqual({ customStylePrompt: 'Like a radio host at night.' });
    expect((await service.send('GET', `/v1/sessions/${body.sessionId}`)).body.personaConfig.directorNotes).toEqual(
      styled.directorNotes,
    );
  });

  it('customStylePrompt is ignored by models that take no director notes', async () => {
    const { body } = await start({ ...styled, avatarModel: 'cara-3', llmId: 'CUSTOMER_CLIENT_V1' });
    expect(configOf(body.sessionId).directorNotes).toBeNull();
  });

  it('customStylePrompt is refused where no LLM of the service could follow it', async () => {
    const refused = await start({ ...styled, llmId: 'CUSTOMER_CLIENT_V1' });
    expect(refused.status).toBe(400);
    expect(refused.body.details).toEqual([
      {
        path: 'personaConfig.directorNotes.customStylePrompt',
        message: expect.stringContaining('the client thinks itself'),
        code: 'custom',
      },
    ]);
    const video = await service.send('POST', '/v1/avatar-videos', {
      script: 'Hello.',
      avatarId: STOCK.avatar,
      voiceId: STOCK.voice,
      avatarModel: 'cara-4',
      directorNotes: styled.directorNotes,
    });
    expect(video.status).toBe(400);
    expect(video.body.details).toEqual([
      { path: 'directorNotes.customStylePrompt', message: expect.stringContaining('[happy]'), code: 'custom' },
    ]);
  });

  it('directorNotes and maxSessionLengthSeconds of a saved persona are those of its sessions, which can have their own', async () => {
    const saved = await service.send('POST', '/v1/personas', {
      avatarId: STOCK.avatar,
      avatarModel: 'cara-4',
      directorNotes: { presetStyle: 'warm' },
      maxSessionLengthSeconds: 90,
    });
    expect(saved.body).toMatchObject({ directorNotes: { presetStyle: 'warm' }, maxSessionLengthSeconds: 90 });
    const own = { personaId: saved.body.id, directorNotes: { presetStyle: 'sad' }, maxSessionLengthSeconds: 30 };
    for (const [personaConfig, presetStyle, maxSessionLengthSeconds] of [
      [{ personaId: saved.body.id }, 'warm', 90],
      [own, 'sad', 30],
    ] as const)
      expect(configOf((await start(personaConfig)).body.sessionId)).toMatchObject({
        directorNotes: { presetStyle },
        maxSessionLengthSeconds,
      });
    const { body } = await start({ personaId: saved.body.id, directorNotes: null });
    expect(configOf(body.sessionId).directorNotes).toBeNull();
  });

  it('customStylePrompt cannot be saved where no LLM of the service could follow it, and videos ignore it', async () => {
    const refused = await service.send('POST', '/v1/personas', { ...styled, llmId: 'CUSTOMER_CLIENT_V1' });
    expect(refused.status).toBe(400);
    expect(refused.body.details).toEqual([
      {
        path: 'directorNotes.customStylePrompt',
        message: expect.stringContaining('the client thinks itself'),
        code: 'custom',
      },
    ]);
    const { body: saved } = await service.send('POST', '/v1/personas', { ...styled, voiceId: STOCK.voice });
    const changed = await service.send('PUT', `/v1/personas/${saved.id}`, { llmId: 'CUSTOMER_CLIENT_V1' });
    expect(changed.status).toBe(400);
    const video = await service.send('POST', '/v1/avatar-videos', { script: 'Hello.', personaId: saved.id });
    // What is asked last: this service has nothing to render with.
    expect(video.body.message).toBe('This deployment cannot render avatar videos.');
  });

  it('personaPreset is kept, and seen with the persona and its sessions', async () => {
    const made = await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar, personaPreset: 'receptionist' });
    expect(made.body.personaPreset).toBe('receptionist');
    for (const personaConfig of [
      { personaId: made.body.id },
      { avatarId: STOCK.avatar, personaPreset: 'receptionist' },
    ]) {
      const { body } = await start(personaConfig);
      expect((await service.send('GET', `/v1/sessions/${body.sessionId}`)).body.personaConfig.personaPreset).toBe(
        'receptionist',
      );
    }
  });

  it('removeWatermark takes the mark from the widget, and never the label of the AI from the image', async () => {
    const widgetConfig = { removeWatermark: true, allowEverywhere: true };
    const { id } = (await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar, widgetConfig })).body;
    expect(
      (await service.send('GET', `/v1/personas/${id}/widget`, undefined, null)).body.widgetConfig.removeWatermark,
    ).toBe(true);
    const { body } = await start({ personaId: id }, { showAIAvatarDisclosure: true });
    expect(configOf(body.sessionId).showAIAvatarDisclosure).toBe(true);
  });
});

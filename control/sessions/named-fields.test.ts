import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { describeOnSqlite } from '../testing/stores.ts';

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

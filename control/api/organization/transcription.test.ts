import { beforeAll, afterAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

describeOnSqlite('the transcription of an organization', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(() => service.close());

  const read = (key = service.key) => service.send('GET', '/v1/organization/transcription', undefined, key);
  const change = (body: unknown) => service.send('PUT', '/v1/organization/transcription', body);
  /** @returns how a session of an inline persona is configured. */
  async function startedWith(languageCode: string | undefined, key = service.key) {
    const personaConfig = { name: 'Ada', avatarId: STOCK.avatar, languageCode };
    const { status, body } = await service.send('POST', '/v1/engine/session', { personaConfig }, key);
    expect(status).toBe(200);
    return service.engine.live.get(body.sessionId)!.config;
  }

  it('is as the operator wants it until it is changed', async () => {
    expect((await read()).body).toEqual({
      languageCode: null,
      recognizer: null,
      keyTerms: [],
      recognizers: [
        { id: 'deepgram', languages: ['en', 'de'] },
        { id: 'openai', languages: 'any' },
      ],
      updatedAt: null,
    });
  });

  it('is changed field by field, for this organization alone', async () => {
    expect((await change({ languageCode: 'de-AT', recognizer: 'openai' })).body).toMatchObject({
      languageCode: 'de',
      recognizer: 'openai',
      keyTerms: [],
    });
    await change({ keyTerms: [' Zsófia '] });
    expect((await read()).body).toMatchObject({ languageCode: 'de', recognizer: 'openai', keyTerms: ['Zsófia'] });
    expect((await read(service.otherKey)).body).toMatchObject({ languageCode: null, keyTerms: [] });
  });

  it('holds for sessions, but a language of the persona comes first', async () => {
    await change({ languageCode: 'de', recognizer: 'openai', keyTerms: ['Zsófia'] });
    expect(await startedWith(undefined)).toMatchObject({
      languageCode: 'de',
      transcription: { recognizer: 'openai', keyTerms: ['Zsófia'] },
    });
    expect(await startedWith('fr')).toMatchObject({ languageCode: 'fr' });
    expect(await startedWith('inherit', service.otherKey)).toMatchObject({ languageCode: null });
    await change({ languageCode: null });
    expect(await startedWith('inherit')).toMatchObject({ languageCode: null });
  });

  it('is warned of when the voice does not speak the language', async () => {
    const warnings = async (languageCode: string) => {
      const personaConfig = { name: 'Ada', avatarId: STOCK.avatar, voiceId: STOCK.cloudVoice, languageCode };
      const { body } = await service.send('POST', '/v1/engine/session', { personaConfig });
      return service.engine.live.get(body.sessionId)!.resources.warnings;
    };
    expect(await warnings('fr')).toEqual([
      { code: 'language_unavailable', text: 'The voice of the persona does not speak French.' },
    ]);
    expect(await warnings('de')).toEqual([]);
  });

  it.each([
    [{ recognizer: 'ears' }, 'recognizer'],
    [{ languageCode: 'tlh' }, 'languageCode'],
    [{ keyTerms: ['x'.repeat(51)] }, 'keyTerms.0'],
    [{ keyTerms: Array.from({ length: 51 }, (_, index) => `term ${index}`) }, 'keyTerms'],
    [{ volume: 1 }, 'volume'],
  ])('%j is refused', async (body, path) => {
    const answer = await change(body);
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toBe(path);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { sessionRequests } from '../../api/sessions/testing/session-requests.ts';

describeOnBothDatabases('what a session may not be started with', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());
  const { token } = sessionRequests(() => service);

  it('refuses token requests field by field, also when every slot is taken', async () => {
    service.engine.capacity = 0;
    const paths = async (body: unknown) => {
      const answer = await service.send('POST', '/v1/auth/session-token', body);
      expect(answer.status, answer.text).toBe(400);
      return answer.body.details?.[0]?.path;
    };
    const inline = { avatarId: STOCK.avatar };
    expect(await paths({})).toBe('personaConfig');
    expect(await paths({ personaConfig: {} })).toBe('personaConfig');
    expect(await paths({ personaConfig: { systemPrompt: 'x' } })).toBe('personaConfig.avatarId');
    expect(await paths({ personaConfig: inline, clientLabel: 'x'.repeat(129) })).toBe('clientLabel');
    expect(await paths({ personaConfig: inline, expiresIn: 59 })).toBe('expiresIn');
    expect(await paths({ personaConfig: inline, expiresIn: 86_401 })).toBe('expiresIn');
    expect(await paths({ personaConfig: { avatarId: STOCK.voice } })).toBe('personaConfig.avatarId');
    expect(await paths({ personaConfig: { personaId: STOCK.avatar } })).toBe('personaConfig.personaId');
    expect(await paths({ personaConfig: { ...inline, llmId: STOCK.deprecatedLlm } })).toBe('personaConfig.llmId');
    expect(await paths({ personaConfig: { ...inline, avatarModel: 'cara-2' } })).toBe('personaConfig.avatarModel');
    expect(
      await paths({ personaConfig: { ...inline, directorNotes: { presetStyle: 'warm', customStylePrompt: 'x' } } }),
    ).toBe('personaConfig.directorNotes');
    expect(await paths({ personaConfig: { ...inline, maxSessionLengthSeconds: 0 } })).toBe(
      'personaConfig.maxSessionLengthSeconds',
    );
    expect(
      await paths({ personaConfig: { ...inline, tools: [{ type: 'server', name: 'x', description: 'd' }] } }),
    ).toBe('personaConfig.tools.0.subtype');
    expect(
      await paths({
        personaConfig: {
          ...inline,
          tools: [{ type: 'client', name: 'x', description: 'd', parameters: { d: 'x'.repeat(10_000) } }],
        },
      }),
    ).toBe('personaConfig.tools.0.parameters');
    expect(
      await paths({
        personaConfig: {
          ...inline,
          tools: [
            { type: 'server', subtype: 'webhook', name: 'x', description: 'd', url: 'http://10.1.1.1', method: 'GET' },
          ],
        },
      }),
    ).toBe('personaConfig.tools.0.url');
    expect(await paths({ personaConfig: { ...inline, toolIds: [randomUUID()] } })).toBe('personaConfig.toolIds.0');
    expect(await paths({ personaConfig: inline, sessionOptions: { videoWidth: 720 } })).toBe(
      'sessionOptions.videoHeight',
    );
    expect(await paths({ personaConfig: inline, sessionOptions: { videoWidth: 800, videoHeight: 600 } })).toBe(
      'sessionOptions.videoWidth',
    );
    expect(await paths({ personaConfig: inline, sessionOptions: { regionPolicy: 'strict' } })).toBe(
      'sessionOptions.region',
    );
    for (const regionPolicy of ['strict', 'preferred'])
      expect(await paths({ personaConfig: inline, sessionOptions: { region: 'mars', regionPolicy } })).toBe(
        'sessionOptions.region',
      );
    expect(await paths({ personaConfig: inline, sessionOptions: { egress: { mode: 'daily' } } })).toBe(
      'sessionOptions.egress',
    );
    expect(await paths({ personaConfig: inline, environment: { livekitUrl: 'wss://x' } })).toBe('environment');
    expect(await paths({ personaConfig: inline, environment: { elevenLabsAgentSettings: {} } })).toBe(
      'environment.elevenLabsAgentSettings',
    );
    expect((await token({ personaConfig: { personaId: randomUUID() } })).status).toBe(404);
    expect((await token({ personaConfig: inline })).status).toBe(200);
    service.engine.capacity = 20;
  });

  it('names what works in place of the egress that the transport of Pipecat asks for', async () => {
    const answer = await service.send('POST', '/v1/auth/session-token', {
      personaConfig: { avatarId: STOCK.avatar, enableAudioPassthrough: true },
      sessionOptions: { egress: { mode: 'daily', daily: { roomUrl: 'https://example.daily.co/room' } } },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/AnamVideoService.*LiveKit/);
  });

  /**
   * A caller who had sent `personaId` alone was told that `personaConfig.persona.llmId` is wrong, and one who ordered a
   * video, that `sessionOptions.videoHeight` is: neither of them has such a field.
   */
  it('names fields of the body that was sent, and says when the saved persona has to be repaired', async () => {
    const problem = async (url: string, body: unknown) => {
      const answer = await service.send('POST', url, body);
      expect(answer.status, answer.text).toBe(400);
      return answer.body.details[0] as { path: string; message: string };
    };
    const made = await service.send('POST', '/v1/llms', {
      displayName: 'Mine',
      llmFormat: 'openai',
      modelName: 'm',
      secret: 's',
      url: 'https://example.com/v1',
    });
    const saved = await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar, llmId: made.body.id });
    expect((await service.send('DELETE', `/v1/llms/${made.body.id}?whenUsed=delete`)).status).toBe(204);
    const personaId = saved.body.id;
    const video = { script: 'Hello.', personaId };
    const repair = expect.stringMatching(/^The saved persona has to be repaired, or another one named: llmId: /);
    for (const [url, body, path] of [
      ['/v1/auth/session-token', { personaConfig: { personaId } }, 'personaConfig.personaId'],
      ['/v1/engine/session', { personaConfig: { personaId } }, 'personaConfig.personaId'],
      ['/v1/avatar-videos', video, 'personaId'],
    ] as const)
      expect(await problem(url, body), url).toMatchObject({ path, message: repair, code: 'broken_persona' });
    await service.send('PUT', `/v1/personas/${personaId}`, { llmId: STOCK.llm });
    expect(
      await problem('/v1/auth/session-token', { personaConfig: { personaId, avatarModel: 'cara-2' } }),
    ).toMatchObject({ path: 'personaConfig.avatarModel' });
    const path = async (url: string, body: unknown) => (await problem(url, body)).path;
    expect(await path('/v1/avatar-videos', { ...video, videoWidth: 720 })).toBe('videoHeight');
    expect(await path('/v1/avatar-videos', { ...video, videoWidth: 1, videoHeight: 1 })).toBe('videoWidth');
    expect(await path('/v1/avatar-videos', { ...video, personaId: STOCK.voice })).toBe('personaId');
    expect(await path('/v1/avatar-videos', { script: 'Hello.', avatarId: STOCK.voice, voiceId: STOCK.voice })).toBe(
      'avatarId',
    );
    expect(await path('/v1/personas', { voiceId: STOCK.cloudVoice, voiceSpeed: 1.9 })).toBe('voiceSpeed');
    expect(await path('/v1/personas', { brainType: randomUUID() })).toBe('brainType');
    expect(
      await path('/v1/auth/session-token', { personaConfig: { avatarId: STOCK.avatar, brainType: randomUUID() } }),
    ).toBe('personaConfig.brainType');
  });
});

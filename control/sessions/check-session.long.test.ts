import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { sessionRequests } from './testing/session-requests.ts';

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
    expect((await token({ personaConfig: { personaId: randomUUID() } })).status).toBe(404);
    expect((await token({ personaConfig: inline })).status).toBe(200);
    service.engine.capacity = 20;
  });
});

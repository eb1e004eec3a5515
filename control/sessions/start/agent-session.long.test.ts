import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnSqlite } from '../../testing/stores.ts';
import { sessionRequests } from '../../api/sessions/testing/session-requests.ts';

const SIGNED = 'wss://api.elevenlabs.io/v1/convai/conversation?agent_id=agent_1&conversation_signature=cvtkn_secret';

describeOnSqlite('a session whose brain is an agent of ElevenLabs', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), {
      settings: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    });
  });
  afterAll(async () => service.close());
  const { start, token } = sessionRequests(() => service);
  const personaConfig = { avatarId: STOCK.avatar };
  const settings = { signedUrl: SIGNED, agentId: 'agent_1', dynamicVariables: { name: 'Ada' } };
  const environment = { elevenLabsAgentSettings: settings, podName: null, engineVersion: null };

  it('is started by a token and an empty body, and by a key in one call', async () => {
    const { sessionToken } = (await token({ personaConfig, environment })).body;
    for (const begin of [() => start({}, sessionToken), () => start({ personaConfig, environment })]) {
      const started = await begin();
      expect(started).toMatchObject({ sessionId: expect.any(String), engineHost: expect.any(String) });
      const { config, resources } = service.engine.live.get(started.sessionId)!;
      expect(config.llm).toMatchObject({ kind: 'service', llmId: 'elevenlabs_agent', speaks: true, agent: true });
      expect(JSON.parse(resources.head!).llm.definition.agent).toEqual(settings);
    }
  });

  it('keeps the signed URL out of everything that is stored in the clear', async () => {
    const { sessionToken } = (await token({ personaConfig, environment })).body;
    const { sessionId } = await start({}, sessionToken);
    const { config } = service.engine.live.get(sessionId)!;
    const rows = [
      ...(await service.store.db.selectFrom('session_tokens').selectAll().execute()),
      ...(await service.store.db.selectFrom('sessions').selectAll().orderBy('created_at').execute()),
    ];
    for (const [where, text] of Object.entries({
      'the session token': Buffer.from(sessionToken.split('.')[1], 'base64url').toString(),
      'the configuration': JSON.stringify(config),
      'the database': JSON.stringify(rows),
      'the session': (await service.send('GET', `/v1/sessions/${sessionId}`)).text,
    }))
      expect(text, where).not.toContain('cvtkn_secret');
    expect(rows.at(-1)).toMatchObject({ id: sessionId, session_type: 'elevenlabs_agent' });
  });

  it.each([
    ['environment.elevenLabsAgentSettings', {}],
    [
      'environment.elevenLabsAgentSettings.signedUrl',
      { signedUrl: 'wss://10.0.0.1/?conversation_signature=cvtkn_secret' },
    ],
    ['environment.elevenLabsAgentSettings.signedUrl', { signedUrl: SIGNED.replace('wss', 'ws') }],
    ['environment.elevenLabsAgentSettings.signedUrl', { signedUrl: 'ftp://api.elevenlabs.io' }],
    ['environment.elevenLabsAgentSettings.agentId', { agentId: 'a b' }],
    ['environment.elevenLabsAgentSettings.dynamicVariables.x', { ...settings, dynamicVariables: { x: {} } }],
    [
      'environment.elevenLabsAgentSettings.customLlmExtraBody',
      { ...settings, customLlmExtraBody: { x: 'x'.repeat(70_000) } },
    ],
  ])('is refused already with its session token: %s', async (path, given) => {
    const answer = await token({ personaConfig, environment: { elevenLabsAgentSettings: given } });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.details[0].path).toBe(path);
    expect(answer.text).not.toContain('cvtkn_secret');
  });

  it('has one brain, and one client', async () => {
    const answer = await token({ personaConfig, environment: { ...environment, realtime: true } });
    expect(answer.body.details).toMatchObject([{ path: 'environment', message: expect.stringContaining('excludes') }]);
  });

  it('may be a server of the operator without TLS, or a public agent by its id', async () => {
    const own = { signedUrl: 'ws://127.0.0.1:7880/?conversation_signature=x' };
    for (const elevenLabsAgentSettings of [own, { agentId: 'agent_1' }])
      expect((await token({ personaConfig, environment: { elevenLabsAgentSettings } })).status).toBe(200);
  });
});

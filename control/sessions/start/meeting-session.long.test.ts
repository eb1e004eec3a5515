import { expect, it } from 'vitest';
import type { Control } from '../../app/control.ts';
import { RESOURCES } from '../../api/resources.ts';
import { startTestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnSqlite } from '../../testing/stores.ts';
import { sessionRequests } from '../../api/sessions/testing/session-requests.ts';
import { startSession } from './start-session.ts';

const meeting = { displayName: 'Elena (AI)', groupCall: true };

describeOnSqlite('a session in a meeting', (stores) => {
  it('is started by the service alone, and always says in its picture that it is an AI', async () => {
    let control: Control | undefined;
    const routes = (_: unknown, of: Control): void => void (control = of);
    const inside = { tag: 'Inside', description: 'No routes.', scopes: [], errors: {}, examples: {}, routes };
    const service = await startTestService(await stores.open(), { resources: [...RESOURCES, inside] });
    const { sessionId } = await startSession(
      control!,
      {
        caller: { organizationId: service.organizationId, entitlements: [] },
        apiKeyId: null,
        userId: null,
        visitor: null,
        baseUrl: 'http://127.0.0.1:8080',
      },
      {
        personaConfig: { type: 'ephemeral', persona: { avatarId: STOCK.avatar } },
        sessionOptions: { showAIAvatarDisclosure: false },
        clientLabel: null,
        clientMetadata: null,
        meeting,
      },
    );
    expect(service.engine.live.get(sessionId)!.config).toMatchObject({ meeting, showAIAvatarDisclosure: true });
    await service.close();
  });

  it('cannot be asked for over the API', async () => {
    const service = await startTestService(await stores.open());
    const { start, token } = sessionRequests(() => service);
    const body = {
      meeting,
      personaConfig: { avatarId: STOCK.avatar, meeting, groupCall: true },
      sessionOptions: { meeting },
      clientMetadata: { meeting },
    };
    const withKey = await start(body);
    const { sessionToken } = (await token(body)).body;
    const withToken = await start({ meeting, sessionOptions: { meeting } }, sessionToken);
    for (const { sessionId } of [withKey, withToken])
      expect(service.engine.live.get(sessionId)!.config.meeting).toBeNull();
    await service.close();
  });
});

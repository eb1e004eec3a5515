import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';

/** As text: code that builds such a value in memory could itself run out of stack. */
const DEEP = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;

describeOnBothDatabases('bodies that are nested thousands of levels deep', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());

  it.each([
    [
      'the metadata of a session',
      'POST',
      '/v1/auth/session-token',
      `{"clientMetadata":${DEEP}}`,
      'clientMetadata.a.a.a',
    ],
    [
      'the look of a widget',
      'POST',
      '/v1/personas',
      `{"avatarId":"${STOCK.avatar}","widgetConfig":${DEEP}}`,
      'widgetConfig.a.a.a',
    ],
    [
      'the parameters of a tool',
      'POST',
      '/v1/tools',
      `{"name":"t","description":"d","type":"CLIENT","config":{"parameters":${DEEP}}}`,
      'config.parameters.a.a',
    ],
    [
      'the parameters of an inline tool',
      'POST',
      '/v1/auth/session-token',
      `{"personaConfig":{"tools":[{"type":"client","name":"t","description":"d","parameters":${DEEP}}]}}`,
      'personaConfig.tools.0.parameters',
    ],
    ['a key that means something to JavaScript', 'POST', '/v1/personas', `{"__proto__":${DEEP}}`, '__proto__.a.a.a'],
  ])('are refused by name: %s', async (_name, method, url, body, path) => {
    const answer = await service.send(method, url, body);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.details).toEqual([{ path, message: 'is nested more than 64 levels deep', code: 'custom' }]);
  });
});

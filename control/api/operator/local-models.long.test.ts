import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocalModelResponse } from './local-model-schema.ts';
import { describeOnSqlite } from '../../testing/stores.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { localModelExamples } from './local-model-examples.ts';

const voice = localModelExamples['POST /v1/local-models/{id}/fetch']?.answer as LocalModelResponse;

describeOnSqlite('local models', (stores) => {
  let service: TestService;
  let off: TestService;
  let state: LocalModelResponse['state'] = 'absent';
  beforeAll(async () => {
    service = await startTestService(await stores.open(), {
      ports: {
        localModels: {
          list: async () => [{ ...voice, state }],
          async fetch(id) {
            if (id !== voice.id) return null;
            state = 'fetching';
            return { ...voice, state };
          },
          restart: () => 'none',
        },
      },
    });
    off = await startTestService(await stores.open());
  });
  afterAll(async () => {
    await service.close();
    await off.close();
  });

  it('are listed, and fetched on request', async () => {
    expect((await service.send('GET', '/v1/local-models')).body).toMatchObject({
      data: [{ id: voice.id, state: 'absent' }],
      restart: 'none',
    });
    expect(await service.send('POST', `/v1/local-models/${voice.id}/fetch`)).toMatchObject({
      status: 202,
      body: { state: 'fetching' },
    });
    expect(await service.send('POST', '/v1/local-models/absent/fetch')).toMatchObject({ status: 404 });
  });

  it('are only for keys of the operator', async () => {
    const ordinary = await service.keyWith(['personas']);
    const reading = await service.keyWith(['operator:read']);
    expect((await service.send('GET', '/v1/local-models', undefined, ordinary)).status).toBe(403);
    expect((await service.send('GET', '/v1/local-models', undefined, reading)).status).toBe(200);
    expect((await service.send('POST', `/v1/local-models/${voice.id}/fetch`, undefined, reading)).status).toBe(403);
  });

  it('are none where the operator does not want any', async () => {
    expect((await off.send('GET', '/v1/local-models')).body).toEqual({ data: [], restart: 'none' });
    expect((await off.send('POST', `/v1/local-models/${voice.id}/fetch`)).status).toBe(409);
  });
});

import { ClientError, type Client } from '@parley/client';
import { expect, it, vi } from 'vitest';
import { PersonaStore, type PersonaStart } from './persona-store.ts';

const fake = vi.hoisted(() => ({ client: null as unknown }));
vi.mock('@parley/client', async (original) => ({ ...(await original<object>()), createClient: () => fake.client }));

/**
 * After a reload, a start first tries to continue the session before, which already counts as streaming, and whose end
 * nobody is told of. A user who stopped in that moment was shown an error: "The conversation was stopped".
 */
it('a start that is stopped while it continues the session before a reload is no error', async () => {
  let fail: (error: ClientError) => void = () => undefined;
  const streaming = new Promise<void>((_, reject) => (fail = reject));
  fake.client = {
    addListener: () => () => undefined,
    registerToolCallHandler: () => () => undefined,
    streamToVideoElement: () => streaming,
    isStreaming: () => true,
    stopStreaming: async () => fail(new ClientError('not_streaming', 'The conversation was stopped.')),
  } satisfies Partial<Client>;
  const store = new PersonaStore();
  const start = { sessionToken: 'token', options: {}, tools: () => ({}), video: {} } as unknown as PersonaStart;
  const started = store.start(start);
  expect(store.getState().phase).toBe('starting');
  store.stop();
  await started;
  expect([store.getState(), store.client]).toMatchObject([{ phase: 'ended', error: null }, null]);
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openHeadlessConversation } from '../bench/lib/headless-conversation.ts';
import { bareEnvironment } from '../runtime/testing/bare-environment.ts';
import { WITHOUT_RECOGNIZER, startService } from './support/service.ts';

const run = promisify(execFile);

it('a service that drains takes no further session, and its conversations go on until they are over', async () => {
  const service = await startService({ env: WITHOUT_RECOGNIZER });
  // A session without a client ends by itself, on a busy machine before its end is looked at.
  const user = await openHeadlessConversation(service);
  // It finds the port of the service by itself.
  const drain = (seconds: number) =>
    run(process.execPath, ['scripts/drain.ts', String(service.pid), String(seconds)], {
      env: bareEnvironment(),
    });
  // It ended with 0, and whoever then stopped the service cut the conversation off.
  await expect(drain(2)).rejects.toMatchObject({ code: 1, stderr: '1 sessions are still live after 2 s.\n' });
  const drained = drain(60);
  await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(503);
  await expect(openHeadlessConversation(service)).rejects.toThrow('No engines available');
  await user.ask('Do we go on?');
  expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({
    engine: 'draining',
    activeSessions: 1,
    freePlaces: 0,
  });
  await service.api('POST', `/v1/sessions/${user.sessionId}/stop`);
  await drained;
  user.close();
  await expect.poll(() => service.output()).toContain('no further session is taken');
  await expect.poll(() => service.output()).toMatch(/"reason":"stopped_by_api".*"session ended"/);
  await service.stop();
});

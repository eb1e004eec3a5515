import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openHeadlessConversation, type HeadlessConversation } from '../../bench/lib/headless-conversation.ts';
import { WITHOUT_RECOGNIZER, startService, type RunningService } from '../support/service.ts';

const MEGABYTE = 1024 * 1024;
/** Largest text of a message. */
const TEXT_BYTES = 32 * 1024;

/** A client in a loop, or one that means it, sends as fast as it can on every way that there is. */
describe('a flood of messages', () => {
  let service: RunningService;
  const users: HeadlessConversation[] = [];
  beforeAll(async () => {
    service = await startService({ env: WITHOUT_RECOGNIZER });
  });
  afterAll(async () => {
    for (const user of users) user.close();
    await service?.stop();
  });

  const logBytes = (sessionId: string): number => {
    const database = new Database(join(service.dataDir, 'parley.sqlite'), { readonly: true });
    try {
      return (
        database
          .prepare('select coalesce(sum(length(lines)), 0) as bytes from session_events where session_id = ?')
          .get(sessionId) as { bytes: number }
      ).bytes;
    } finally {
      database.close();
    }
  };

  it('fills no disk, is spoken of once, and the session and those of others go on', async () => {
    const [flooder, bystander] = [await openHeadlessConversation(service), await openHeadlessConversation(service)];
    users.push(flooder, bystander);
    for (let i = 0; i < 600; i += 1) flooder.say('x'.repeat(TEXT_BYTES - 100));
    for (let i = 0; i < 2_000; i += 1) flooder.client.sendMessage(JSON.stringify({ message_type: 'interrupt' }));
    for (let i = 0; i < 400; i += 1) {
      flooder.client.signal('talkstream', { content: 'y'.repeat(TEXT_BYTES), correlationId: 'flood' });
    }
    await bystander.ask('Hello there!');

    const told = (): unknown[] =>
      flooder.client.signals.filter(({ actionType }) => actionType === 'warning').map(({ payload }) => payload);
    await expect.poll(told).toContain('Too many messages (talkstream): some are ignored.');
    // What comes last on the data channel is looked at last.
    await expect
      .poll(() => {
        flooder.client.sendMessage(JSON.stringify({ message_type: 'interrupt' }));
        return service.output().includes('"kind":"interrupt"') || service.output().includes('"kind":"data channel"');
      })
      .toBe(true);
    expect(new Set(told()).size).toBe(told().length);
    expect(flooder.client.signaling.readyState).toBe(WebSocket.OPEN);
    await bystander.ask('Hello there!');

    await service.api('POST', `/v1/sessions/${flooder.sessionId}/stop`);
    await expect
      .poll(
        async () =>
          (await service.api<{ end_reason: string | null }>('GET', `/v1/sessions/${flooder.sessionId}`)).end_reason,
      )
      .toBe('stopped_by_api');
    await expect.poll(() => service.output()).toContain('messages of a client were dropped');
    expect(logBytes(flooder.sessionId)).toBeGreaterThan(0);
    // 32 MB were sent.
    expect(logBytes(flooder.sessionId)).toBeLessThan(2 * MEGABYTE);
  });
});

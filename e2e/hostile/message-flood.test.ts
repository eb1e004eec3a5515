import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openLightClient, type LightClient } from '../support/light-client.ts';
import { startService, type RunningService } from '../support/service.ts';

const MEGABYTE = 1024 * 1024;
/** Largest text of a message. */
const TEXT_BYTES = 32 * 1024;

/** A client in a loop, or one that means it, sends as fast as it can on every way that there is. */
describe('a flood of messages', () => {
  let service: RunningService;
  const clients: LightClient[] = [];
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await service?.stop();
  });

  const say = ({ media }: LightClient, content: string): boolean =>
    media.sendMessage(JSON.stringify({ message_type: 'speech', content }));
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
    const [flooder, bystander] = [await openLightClient(service), await openLightClient(service)];
    clients.push(flooder, bystander);
    for (let i = 0; i < 600; i += 1) say(flooder, 'x'.repeat(TEXT_BYTES - 100));
    for (let i = 0; i < 2_000; i += 1) flooder.media.sendMessage(JSON.stringify({ message_type: 'interrupt' }));
    for (let i = 0; i < 400; i += 1) {
      flooder.socket.send(
        JSON.stringify({
          actionType: 'talkstream',
          sessionId: flooder.sessionId,
          payload: { content: 'y'.repeat(TEXT_BYTES), correlationId: 'flood' },
        }),
      );
    }
    await bystander.ask('Hello there!');

    const told = (): unknown[] =>
      flooder.signals.filter(({ actionType }) => actionType === 'warning').map(({ payload }) => payload);
    await expect.poll(told).toContain('Too many messages (talkstream): some are ignored.');
    // What comes last on the data channel is looked at last.
    await expect
      .poll(() => {
        flooder.media.sendMessage(JSON.stringify({ message_type: 'interrupt' }));
        return service.output().includes('"kind":"interrupt"') || service.output().includes('"kind":"data channel"');
      })
      .toBe(true);
    expect(new Set(told()).size).toBe(told().length);
    expect(flooder.socket.readyState).toBe(WebSocket.OPEN);
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

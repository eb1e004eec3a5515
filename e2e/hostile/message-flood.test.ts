import { join } from 'node:path';
import Database from 'better-sqlite3';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openLoopbackClient, type LoopbackClient } from '../../engine/transport/testing/loopback-client.ts';
import { startSession } from '../support/raw-session.ts';
import { startService, type RunningService } from '../support/service.ts';

const MEGABYTE = 1024 * 1024;
/** Largest text of a message. */
const TEXT_BYTES = 32 * 1024;

interface Client {
  readonly sessionId: string;
  readonly socket: WebSocket;
  readonly media: LoopbackClient;
  readonly signals: { actionType: string; payload: unknown }[];
  readonly replies: () => number;
}

/** A client in a loop, or one that means it, sends as fast as it can on every way that there is. */
describe('a flood of messages', () => {
  let service: RunningService;
  let avatarId: string;
  const clients: Client[] = [];
  beforeAll(async () => {
    service = await startService();
    avatarId = (await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars')).data[0]?.id ?? '';
  });
  afterAll(async () => {
    for (const { media, socket } of clients) {
      media.close();
      socket.close();
    }
    await service?.stop();
  });

  async function connect(): Promise<Client> {
    const started = await startSession(service, {
      avatarId,
      skipGreeting: true,
      voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
    });
    const socket = new WebSocket(started.url);
    const signals: Client['signals'] = [];
    let replies = 0;
    const media = openLoopbackClient({
      onMessage: (text) => {
        const { messageType, data } = JSON.parse(text) as {
          messageType: string;
          data: { role?: string; end_of_speech?: boolean };
        };
        if (messageType === 'speechText' && data.role === 'persona' && data.end_of_speech === true) replies += 1;
      },
    });
    socket.on('message', (data: Buffer) => {
      const signal = JSON.parse(data.toString()) as Client['signals'][number];
      signals.push(signal);
      if (signal.actionType === 'answer') media.acceptAnswer((signal.payload as { sdp: string }).sdp);
    });
    await once(socket, 'open');
    socket.send(
      JSON.stringify({
        actionType: 'offer',
        sessionId: started.sessionId,
        payload: { connectionDescription: { type: 'offer', sdp: media.offer } },
      }),
    );
    await expect.poll(() => signals.map(({ actionType }) => actionType)).toContain('sessionready');
    const client = { sessionId: started.sessionId, socket, media, signals, replies: () => replies };
    clients.push(client);
    return client;
  }
  const say = ({ media }: Client, content: string): boolean =>
    media.sendMessage(JSON.stringify({ message_type: 'speech', content }));
  const answers = async (client: Client): Promise<void> => {
    const before = client.replies();
    say(client, 'Hello there!');
    await expect.poll(client.replies).toBeGreaterThan(before);
  };
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
    const [flooder, bystander] = [await connect(), await connect()];
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
    await answers(bystander);

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
    await answers(bystander);

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

import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createSignaling, type ClientSignal, type Signaling, type SignalingSocket } from './index.ts';

const LIVE = '6f1f3c1e-8a55-4c0d-9a53-0d6e1c1f7a10';
const ENDED = '6f1f3c1e-8a55-4c0d-9a53-0d6e1c1f7a11';
const OF_A_SHOP = '6f1f3c1e-8a55-4c0d-9a53-0d6e1c1f7a13';
const UNKNOWN = '6f1f3c1e-8a55-4c0d-9a53-0d6e1c1f7a12';

describe('the signaling endpoint', () => {
  let server: Server;
  let signaling: Signaling;
  let base: string;
  const opened: SignalingSocket[] = [];
  const signals: ClientSignal[] = [];

  beforeEach(async () => {
    opened.length = 0;
    signals.length = 0;
    server = createServer();
    signaling = createSignaling({
      log: pino({ level: 'silent' }),
      lookup: (id) => {
        if (id === ENDED) return { kind: 'ended', goodbye: { code: 'stopped_by_api', text: 'Session was stopped.' } };
        if (id !== LIVE && id !== OF_A_SHOP) return null;
        return {
          kind: 'live',
          onlyOrigin: id === OF_A_SHOP ? 'https://shop.example.com' : null,
          session: { opened: (s) => opened.push(s), signal: (s) => signals.push(s), closed: () => undefined },
        };
      },
    });
    signaling.attach(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    signaling.close();
    server.closeAllConnections();
    server.close();
  });

  const connect = async (path: string, origin?: string): Promise<WebSocket> => {
    const ws = new WebSocket(base + path, origin === undefined ? {} : { origin });
    await once(ws, 'open');
    return ws;
  };
  const refusal = async (path: string, origin?: string): Promise<number | undefined> => {
    const ws = new WebSocket(base + path, origin === undefined ? {} : { origin });
    const [, response] = (await once(ws, 'unexpected-response')) as [unknown, { statusCode?: number }];
    return response.statusCode;
  };
  const send = (ws: WebSocket, actionType: string, payload: unknown) =>
    ws.send(JSON.stringify({ actionType, sessionId: LIVE, payload }));

  it.each(['/ws', '/v1/webrtc/engines/local-1/ws'])('takes a live session at %s', async (path) => {
    const ws = await connect(`${path}?session_id=${LIVE}`);
    send(ws, 'heartbeat', '');
    await expect.poll(() => signals).toHaveLength(1);
    expect(opened).toHaveLength(1);
    ws.close();
  });

  it('asks others for a session that is not here, and takes it itself when it has come here meanwhile', async () => {
    const other = createServer();
    const asked: string[] = [];
    const here = new Set<string>();
    const moved = createSignaling({
      log: pino({ level: 'silent' }),
      lookup: (id) =>
        here.has(id)
          ? {
              kind: 'live',
              onlyOrigin: null,
              session: { opened: (s) => opened.push(s), signal: () => undefined, closed: () => undefined },
            }
          : null,
    });
    moved.attach(other, async (id) => {
      asked.push(id);
      if (id === LIVE) here.add(id);
      return id === UNKNOWN ? 'nowhere' : 'here';
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    base = `ws://127.0.0.1:${(other.address() as AddressInfo).port}`;
    (await connect(`/ws?session_id=${LIVE}`)).close();
    await expect.poll(() => opened).toHaveLength(1);
    expect(await refusal(`/ws?session_id=${UNKNOWN}`)).toBe(404);
    // Whoever says so and is wrong is not asked for ever.
    expect(await refusal(`/ws?session_id=${ENDED}`)).toBe(404);
    expect(asked).toEqual([LIVE, UNKNOWN, ENDED]);
    moved.close();
    other.closeAllConnections();
    other.close();
  });

  /** A client that was sent away comes here for the last time: it must not make its offer to an engine that leaves. */
  it('holds a socket of a session that leaves until it has left, and then asks the others', async () => {
    const server = createServer();
    const left = Promise.withResolvers<void>();
    let stage: 'leaving' | 'left' = 'leaving';
    const leaving = createSignaling({
      log: pino({ level: 'silent' }),
      lookup: () => (stage === 'left' ? null : { kind: 'leaving', leave: () => left.promise, onlyOrigin: null }),
    });
    const asked: string[] = [];
    leaving.attach(server, async (id) => {
      asked.push(id);
      return 'nowhere';
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = refusal(`/ws?session_id=${LIVE}`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual([]);
    stage = 'left';
    left.resolve();
    expect(await answer).toBe(404);
    expect(asked).toEqual([LIVE]);
    leaving.close();
    server.close();
  });

  it('answers 400 without a proper session id, 404 for one that never was and for other paths', async () => {
    expect(await refusal('/ws')).toBe(400);
    expect(await refusal('/ws?session_id=1')).toBe(400);
    expect(await refusal(`/ws?session_id=${UNKNOWN}`)).toBe(404);
    expect(await refusal(`/other?session_id=${LIVE}`)).toBe(404);
  });

  it('refuses pages of other web sites where a session belongs to one', async () => {
    const path = `/ws?session_id=${OF_A_SHOP}`;
    expect(await refusal(path, 'https://evil.example.com')).toBe(403);
    expect(opened).toHaveLength(0);
    for (const origin of ['https://shop.example.com', undefined]) (await connect(path, origin)).close();
    await expect.poll(() => opened).toHaveLength(2);
    (await connect(`/ws?session_id=${LIVE}`, 'https://evil.example.com')).close();
  });

  it('writes actionType first and payload last', async () => {
    const ws = await connect(`/ws?session_id=${LIVE}`);
    await expect.poll(() => opened).toHaveLength(1);
    opened[0]?.send('sessionready', {});
    const [data] = (await once(ws, 'message')) as [Buffer];
    expect(data.toString()).toBe(`{"actionType":"sessionready","sessionId":"${LIVE}","payload":{}}`);
    ws.close();
  });

  it('tells a client that comes back to an ended session why, but only after its offer', async () => {
    const ws = await connect(`/ws?session_id=${ENDED}`);
    const messages: string[] = [];
    ws.on('message', (data: Buffer) => messages.push(data.toString()));
    ws.send(JSON.stringify({ actionType: 'heartbeat', sessionId: ENDED, payload: '' }));
    ws.send(
      JSON.stringify({
        actionType: 'offer',
        sessionId: ENDED,
        payload: { connectionDescription: { type: 'offer', sdp: 'v=0' } },
      }),
    );
    const [code] = (await once(ws, 'close')) as [number];
    expect(code).toBe(1000);
    // One client picks the type of the payload by the action before it, and all take the payload for a text.
    expect(messages).toEqual([
      `{"actionType":"endsession","sessionId":"${ENDED}","code":"stopped_by_api","payload":"Session was stopped."}`,
    ]);
  });

  it('closes a socket that keeps sending junk with 1008, and one with a huge frame with 1009', async () => {
    const junk = await connect(`/ws?session_id=${LIVE}`);
    for (let i = 0; i <= 201; i++) junk.send('{');
    expect((await once(junk, 'close'))[0]).toBe(1008);
    const huge = await connect(`/ws?session_id=${LIVE}`);
    huge.send('x'.repeat(1024 * 1024 + 1));
    expect((await once(huge, 'close'))[0]).toBe(1009);
  });

  it('reads a flood no faster than it may come, and loses nothing of it', async () => {
    const paused = vi.spyOn(WebSocket.prototype, 'pause');
    const ws = await connect(`/ws?session_id=${LIVE}`);
    let sent = 0;
    while (paused.mock.calls.length === 0) {
      for (let i = 0; i < 1_000; i++) send(ws, 'heartbeat', '');
      sent += 1_000;
      await expect.poll(() => signals).toHaveLength(sent);
    }
    expect(sent).toBeGreaterThanOrEqual(2_000);
    paused.mockRestore();
    ws.close();
  });

  it('ignores binary frames', async () => {
    const ws = await connect(`/ws?session_id=${LIVE}`);
    ws.send(Buffer.from('{'));
    send(ws, 'heartbeat', {});
    await expect.poll(() => signals).toHaveLength(1);
    ws.close();
  });
});

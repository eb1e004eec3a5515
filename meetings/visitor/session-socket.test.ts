import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { SimulatedClock } from 'xstate';
import { SessionSocket } from './session-socket.ts';

describe("The signaling of a meeting's session", () => {
  let server: WebSocketServer;
  let clock: SimulatedClock;
  let told: unknown[];
  /** What the service got. */
  let got: string[];
  let socket: SessionSocket;
  const accepted: WebSocket[] = [];
  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    [told, got] = [[], []];
    accepted.length = 0;
    server.on('connection', (connection) => {
      accepted.push(connection);
      connection.on('message', (data) => got.push((JSON.parse(String(data)) as { actionType: string }).actionType));
    });
    await once(server, 'listening');
    clock = new SimulatedClock();
    const signalingUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`;
    socket = new SessionSocket(
      { sessionId: 's', signalingUrl, iceServers: [] },
      { message: (actionType, payload) => told.push([actionType, payload]), ended: () => told.push('ended') },
      clock,
    );
  });
  afterEach(() => {
    socket.close();
    for (const connection of server.clients) connection.terminate();
    server.close();
  });

  const service = (count: number): Promise<void> => expect.poll(() => accepted.length).toBe(count);
  const say = (message: unknown): void => accepted.at(-1)!.send(JSON.stringify(message));

  it('carries messages both ways, also those from before it was open, and ends with the session', async () => {
    socket.send('offer', {});
    await expect.poll(() => got).toEqual(['offer']);
    say('no message');
    say({ actionType: 'answer', payload: { type: 'answer' } });
    clock.increment(5_000);
    await expect.poll(() => got).toEqual(['offer', 'heartbeat']);
    say({ actionType: 'endsession' });
    await expect.poll(() => told).toEqual([['answer', { type: 'answer' }], 'ended']);
  });

  it('is opened again when it breaks, and loses nothing', async () => {
    await service(1);
    accepted[0]!.terminate();
    await once(accepted[0]!, 'close');
    // Its own end sees that a moment later.
    await expect
      .poll(() => {
        clock.increment(100);
        return accepted.length;
      })
      .toBe(2);
    socket.send('icecandidate', {});
    await expect.poll(() => got).toEqual(['icecandidate']);
    expect(told).toEqual([]);
  });

  it('is over when the service is not there any more', async () => {
    await service(1);
    server.close();
    accepted[0]!.terminate();
    await expect
      .poll(() => {
        clock.increment(2_000);
        return told;
      })
      .toEqual(['ended']);
  });
});

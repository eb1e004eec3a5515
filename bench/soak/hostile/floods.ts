import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { WebSocket } from 'ws';
import { engineNow } from '../../../runtime/clock.ts';
import { openBenchClient } from '../../lib/bench-client.ts';
import type { ServiceAddress } from '../../lib/call-api.ts';
import { signalingUrl, startSession } from '../../lib/conversation.ts';
import { Counts, repeat, type Disturbance } from './disturbance.ts';
import type { Pace } from './pace.ts';

/** Messages sent at once. After that, the service's messages are read. */
const MESSAGES_AT_ONCE = 50;
const REQUESTS_AT_ONCE = 8;
const IDLE_CONNECTIONS = 100;
/** The service has limits for each address. On one machine, strangers and users need different ones. */
const STRANGER = '127.0.0.2';
const TEXT = 'x'.repeat(32_000);

/** A client of a session that sends as fast as it can, on its socket and its data channel. */
export function startMessageFlood(
  service: ServiceAddress,
  { floodMs, calmMs }: Pace,
  began: (what: string) => void,
): Disturbance {
  const counts = new Counts();
  return repeat(counts, async (signal) => {
    const { sessionId } = await startSession(service);
    const client = await openBenchClient(signalingUrl(service), sessionId);
    try {
      await client.ready;
      began('a flood of messages began');
      for (const until = engineNow() + floodMs; engineNow() < until && !signal.aborted; await pause(1)) {
        for (let sent = 0; sent < MESSAGES_AT_ONCE; sent += 1) {
          if (
            client.sendMessage(
              JSON.stringify({
                message_type: sent % 2 === 0 ? 'context' : 'remote_rtp_stats',
                content: TEXT,
                data: {},
              }),
            )
          )
            counts.add('data-channel messages');
          const { readyState, bufferedAmount } = client.signaling;
          if (readyState !== WebSocket.OPEN || bufferedAmount > TEXT.length) continue;
          client.signal('icecandidate', { candidate: TEXT });
          counts.add('signals');
        }
      }
    } finally {
      client.close();
    }
    await pause(calmMs, null, { signal });
  });
}

/** A client without a key: wrong keys, large bodies, connections that send nothing. */
export function startRequestFlood(
  { url }: ServiceAddress,
  { floodMs, calmMs }: Pace,
  began: (what: string) => void,
): Disturbance {
  const counts = new Counts();
  const { hostname, port } = new URL(url);
  const elsewhere = new Agent({ connect: { localAddress: STRANGER } });
  const request = async (index: number): Promise<void> => {
    const path = ['/v1/personas', '/v1/metrics/client', '/v1/auth/widget', '/talk', '/v1/engine/session'][index % 5];
    const answer = await fetch(url + path, {
      method: 'POST',
      dispatcher: elsewhere,
      headers: { authorization: `Bearer wrong-key-${index}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: TEXT }),
    });
    await answer.arrayBuffer();
    counts.add(`requests answered ${answer.status}`);
  };
  return repeat(counts, async (signal) => {
    const idle = Array.from({ length: IDLE_CONNECTIONS }, () =>
      connect({ port: Number(port), host: hostname, localAddress: STRANGER }).on('error', () => undefined),
    );
    for (const socket of idle) socket.write('POST /v1/personas HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n');
    began('a flood of requests began');
    try {
      let index = 0;
      for (const until = engineNow() + floodMs; engineNow() < until && !signal.aborted;) {
        await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, () => request(index++)));
      }
    } finally {
      for (const socket of idle) socket.destroy();
    }
    counts.add('connections that said nothing', IDLE_CONNECTIONS);
    await pause(calmMs, null, { signal });
  });
}

import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';
import { openBrowserClient, type BrowserClient } from '../../engine/transport/testing/browser-client.ts';
import type { RunningService } from './service.ts';

export interface StartedSession {
  readonly sessionId: string;
  /** Of the signaling. */
  readonly url: string;
}

export interface Signal {
  readonly actionType: string;
  readonly payload: unknown;
}

/** One signaling socket that the test itself controls. */
export interface RawSocket {
  readonly received: readonly Signal[];
  /** Code and reason once it was closed. */
  readonly closed: { readonly code: number; readonly reason: string } | null;
  count(actionType: string): number;
  offer(sdp: string): Promise<string>;
  heartbeat(): void;
  /** Cuts the connection like a crash: no closing handshake. */
  terminate(): void;
}

/** Starts a session as a client does: a token, then the engine. */
export async function startSession(service: RunningService, personaConfig: unknown): Promise<StartedSession> {
  const { sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
    personaConfig,
  });
  const response = await fetch(`${service.url}/v1/engine/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw new Error(`The session did not start: ${response.status} ${await response.text()}`);
  const { sessionId, engineHost, signallingEndpoint } = (await response.json()) as {
    sessionId: string;
    engineHost: string;
    signallingEndpoint: string;
  };
  return { sessionId, url: `ws://${engineHost}${signallingEndpoint}?session_id=${sessionId}` };
}

export async function openSocket({ sessionId, url }: StartedSession): Promise<RawSocket> {
  const socket = new WebSocket(url);
  const received: Signal[] = [];
  let closed: RawSocket['closed'] = null;
  let answered: ((sdp: string) => void) | null = null;
  socket.on('message', (data) => {
    const signal = JSON.parse(String(data)) as Signal;
    received.push(signal);
    if (signal.actionType === 'answer') answered?.((signal.payload as { sdp: string }).sdp);
  });
  socket.on('close', (code, reason) => (closed = { code, reason: reason.toString() }));
  socket.on('error', () => undefined);
  await once(socket, 'open');
  const send = (actionType: string, payload: unknown): void =>
    socket.send(JSON.stringify({ actionType, sessionId, payload }));
  return {
    received,
    get closed() {
      return closed;
    },
    count: (actionType) => received.filter((signal) => signal.actionType === actionType).length,
    offer(sdp) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      answered = resolve;
      setTimeout(
        () =>
          reject(
            new Error(
              `The offer was not answered. Received: ${JSON.stringify(received.map(({ actionType, payload }) => [actionType, typeof payload === 'string' ? payload : null]))}, closed: ${JSON.stringify(closed)}`,
            ),
          ),
        TEST_TIMEOUT_MS,
      ).unref();
      send('offer', { connectionDescription: { type: 'offer', sdp }, userUid: sessionId });
      return promise;
    },
    heartbeat: () => send('heartbeat', ''),
    terminate: () => socket.terminate(),
  };
}

/** A page with a peer connection of the test's own, negotiated over `socket`. */
export async function connectPage(page: Page, socket: () => RawSocket): Promise<BrowserClient> {
  const client = await openBrowserClient(page, (offer) => socket().offer(offer));
  await client.negotiate(false);
  return client;
}

/** The persona's words that a page has received, message by message. */
export function personaTexts(messages: readonly string[]): string[] {
  const texts = new Map<string, string>();
  for (const message of messages) {
    const { messageType, data } = JSON.parse(message) as {
      messageType: string;
      data: { message_id: string; role: string; content: string };
    };
    if (messageType !== 'speechText' || data.role !== 'persona') continue;
    texts.set(data.message_id, (texts.get(data.message_id) ?? '') + data.content);
  }
  return [...texts.values()].map((text) => text.trim());
}

/** A text message of the user, as the data channel carries it. */
export function userMessage(text: string): string {
  return JSON.stringify({ message_type: 'speech', content: text, timestamp: new Date().toISOString() });
}

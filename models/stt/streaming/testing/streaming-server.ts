import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** How a server treats one connection. */
export interface Treatment {
  /** Answers the handshake with this status. */
  readonly refuse?: { readonly status: number; readonly headers?: Readonly<Record<string, string>> };
  /** Cuts the connection after so many pieces of sound. */
  readonly cutAfter?: number;
  /** Understands all and says nothing. */
  readonly mute?: boolean;
  /** Reads nothing, and so does not even answer pings. */
  readonly deaf?: boolean;
  /** Sent at the first sound, as it is. */
  readonly instead?: string | Buffer;
  /** Closes as soon as it is open. */
  readonly closeWith?: number;
  /** Is told each message before it is answered; a promise delays the answers. */
  readonly before?: (message: string) => Promise<void>;
}

/** What a connection of some wire format does with what it is sent. */
export interface ServedConnection {
  audio?(bytes: Buffer): void;
  message(message: Record<string, unknown> & { readonly type: string }): void;
}

export type Serve = (send: (message: object) => void) => ServedConnection;

export interface StreamingServer {
  readonly url: string;
  readonly requests: IncomingMessage[];
  /** JSON messages of each connection that was made, in order. */
  readonly received: { readonly type: string; readonly [field: string]: unknown }[][];
  readonly open: number;
  /** Cuts every connection that is open. */
  cut(): void;
  close(): Promise<void>;
}

/** @param serve the wire format. @param treatments of the first connections, in order; later ones are treated well. */
export async function startStreamingServer(
  serve: Serve,
  treatments: readonly Treatment[] = [],
): Promise<StreamingServer> {
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const requests: IncomingMessage[] = [];
  const received: StreamingServer['received'] = [];
  http.on('upgrade', (request, socket, head) => {
    const treatment = treatments[requests.length] ?? {};
    requests.push(request);
    if (treatment.refuse === undefined)
      return sockets.handleUpgrade(request, socket, head, (client) => treat(client, treatment));
    const { status, headers = {} } = treatment.refuse;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} No\r\n${lines.join('')}content-length: 0\r\nconnection: close\r\n\r\n`);
  });

  function treat(client: WebSocket, treatment: Treatment): void {
    const messages: StreamingServer['received'][number] = [];
    received.push(messages);
    if (treatment.closeWith !== undefined) return client.close(treatment.closeWith);
    if (treatment.deaf === true) return client.pause();
    let pieces = 0;
    const connection = serve((message) => {
      if (treatment.mute !== true) client.send(JSON.stringify(message));
    });
    let last = Promise.resolve();
    client.on('message', (data: Buffer, isBinary) => {
      const message = isBinary ? null : JSON.parse(data.toString());
      if (message !== null) messages.push(message);
      const isSound = isBinary || message.type === 'input_audio_buffer.append';
      if (isSound) pieces += 1;
      if (isSound && pieces === 1 && treatment.instead !== undefined) client.send(treatment.instead);
      if (treatment.cutAfter !== undefined && pieces > treatment.cutAfter) return client.terminate();
      const answer = (): void => (isBinary ? connection.audio?.(data) : connection.message(message));
      if (treatment.before === undefined) return answer();
      last = last.then(() => treatment.before?.(message?.type ?? 'audio')).then(answer);
    });
  }

  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    received,
    get open() {
      return sockets.clients.size;
    },
    cut: () => sockets.clients.forEach((client) => client.terminate()),
    async close() {
      sockets.clients.forEach((client) => client.terminate());
      sockets.close();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

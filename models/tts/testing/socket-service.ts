import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { pcmBytes } from './speech-server.ts';

/** A sentence that a service was asked for. */
export interface AskedSentence {
  readonly text: string;
  /** Sends sound with its times, where the service tells any. */
  speak(samples: readonly number[], words?: readonly [word: string, startMs: number, endMs: number][]): void;
  end(): void;
  readonly socket: WebSocket;
  /** Settled once the client gives the sentence up. */
  readonly cancelled: Promise<void>;
}

/** How a service speaks its wire format, from its own side. */
export interface Dialect {
  /** @param asked tells the service of a sentence. @returns what it does with each message of a client. */
  connect(socket: WebSocket, asked: (sentence: AskedSentence) => void): (message: Record<string, unknown>) => void;
}

export interface SocketService {
  readonly url: string;
  /** Of each connection, in order. */
  readonly handshakes: IncomingMessage[];
  readonly sockets: WebSocket[];
  /** All that clients sent. */
  readonly seen: Record<string, unknown>[];
  close(): Promise<void>;
}

/**
 * A speech service on this machine. @param answer what becomes of each sentence. @param status refuses all handshakes.
 */
export async function startSocketService(
  dialect: Dialect,
  answer: (sentence: AskedSentence) => void | Promise<void>,
  status: number | null = null,
): Promise<SocketService> {
  const handshakes: IncomingMessage[] = [];
  const sockets: WebSocket[] = [];
  const seen: Record<string, unknown>[] = [];
  const server = createServer();
  const accept = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    handshakes.push(request);
    if (status !== null) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    accept.handleUpgrade(request, socket, head, (client) => {
      sockets.push(client);
      const receive = dialect.connect(client, (sentence) => void answer(sentence));
      client.on('message', (data) => {
        const message = JSON.parse(String(data)) as Record<string, unknown>;
        seen.push(message);
        receive(message);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handshakes,
    sockets,
    seen,
    async close() {
      for (const socket of sockets) socket.terminate();
      accept.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const send = (socket: WebSocket, message: unknown): void => socket.send(JSON.stringify(message));

/** Contexts that are flushed and closed; a closed one speaks on to its end. */
export const elevenLabsDialect: Dialect = {
  connect(socket, asked) {
    const contexts = new Map<string, PromiseWithResolvers<void>>();
    const cancelled = new Map<string, PromiseWithResolvers<void>>();
    return (message) => {
      const contextId = String(message['context_id']);
      const text = String(message['text'] ?? '');
      const known = contexts.get(contextId);
      if (message['close_context'] === true) {
        // The first one belongs to the request itself.
        if (known !== undefined && contexts.delete(contextId)) return;
        return cancelled.get(contextId)?.resolve();
      }
      if (text === ' ') return void contexts.set(contextId, Promise.withResolvers());
      if (message['flush'] !== true || known === undefined) return;
      cancelled.set(contextId, known);
      asked({
        text: text.trimEnd(),
        socket,
        cancelled: known.promise,
        speak: (samples, words = []) =>
          send(socket, { audio: base64(samples), contextId, alignment: alignment(words) }),
        end: () => send(socket, { isFinal: true, contextId }),
      });
    };
  },
};
function alignment(words: readonly [string, number, number][]) {
  const characters = words.flatMap(([word, startMs, endMs]) => {
    const each = (endMs - startMs) / word.length;
    return [...`${word} `].map((char, at) => ({ char, startMs: startMs + at * each, lasts: char === ' ' ? 0 : each }));
  });
  return {
    chars: characters.map(({ char }) => char),
    charStartTimesMs: characters.map(({ startMs }) => startMs),
    charDurationsMs: characters.map(({ lasts }) => lasts),
  };
}

/** Contexts that say nothing more once they are cancelled. */
export const cartesiaDialect: Dialect = {
  connect(socket, asked) {
    const contexts = new Map<string, PromiseWithResolvers<void>>();
    return (message) => {
      const id = String(message['context_id']);
      if (message['cancel'] === true) return contexts.get(id)?.resolve();
      const stopped = Promise.withResolvers<void>();
      contexts.set(id, stopped);
      asked({
        text: String(message['transcript']),
        socket,
        cancelled: stopped.promise,
        speak(samples, words = []) {
          send(socket, { type: 'chunk', data: base64(samples), context_id: id, done: false, status_code: 206 });
          if (words.length === 0) return;
          const word_timestamps = {
            words: words.map(([word]) => word),
            start: words.map(([, startMs]) => startMs / 1000),
            end: words.map(([, , endMs]) => endMs / 1000),
          };
          send(socket, { type: 'timestamps', word_timestamps, context_id: id, done: false, status_code: 206 });
        },
        end: () => send(socket, { type: 'done', context_id: id, done: true, status_code: 200 }),
      });
    };
  },
};

/** One sentence at a time; sound is binary, and a cleared one is confirmed. */
export const deepgramDialect: Dialect = {
  connect(socket, asked) {
    send(socket, { type: 'Metadata', request_id: 'r', model_name: 'aura', model_version: '1', model_uuid: 'u' });
    let text = '';
    let stopped = Promise.withResolvers<void>();
    return ({ type, text: more }) => {
      if (type === 'Speak') text += String(more);
      if (type === 'Clear') {
        stopped.resolve();
        send(socket, { type: 'Cleared', sequence_id: 1 });
      }
      if (type !== 'Flush') return;
      stopped = Promise.withResolvers();
      const sentence = text;
      text = '';
      asked({
        text: sentence,
        socket,
        cancelled: stopped.promise,
        speak: (samples) => socket.send(pcmBytes(samples)),
        end: () => send(socket, { type: 'Flushed', sequence_id: 0 }),
      });
    };
  },
};

function base64(samples: readonly number[]): string {
  return pcmBytes(samples).toString('base64');
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { spokenWords, type SpokenWord } from '../../testing/spoken-tones.ts';

export type GeminiAnswer = string | { readonly call: { readonly name: string; readonly args: object } };

export interface GeminiServerOptions {
  /** @param remembers what the model remembers, in words. */
  answer: (remembers: readonly string[]) => GeminiAnswer;
  /** What the user says, one after the other. */
  hears?: string[];
  /** What was remembered with each handle that it gave. Absent: it gives none. */
  handles?: Map<string, readonly string[]>;
  /** What an answer costs: told with the last message of the turn, or with the call of a tool. */
  usage?: Readonly<Record<string, unknown>>;
}

interface Turn {
  readonly role: string;
  readonly parts: readonly {
    readonly text?: string;
    readonly functionCall?: { readonly name: string; readonly args: object };
    readonly functionResponse?: { readonly response: { readonly output: string } };
  }[];
}

/** A message of the client, before it is checked. */
export interface GeminiClientMessage {
  readonly setup?: Readonly<Record<string, unknown>>;
  readonly realtimeInput?: {
    readonly activityStart?: object;
    readonly activityEnd?: object;
    readonly audio?: { readonly data: string; readonly mimeType: string };
  };
  readonly clientContent?: { readonly turns: readonly Turn[]; readonly turnComplete: boolean };
  readonly toolResponse?: {
    readonly functionResponses: readonly { readonly id: string; readonly response: { readonly output: string } }[];
  };
}

const KINDS = ['setup', 'realtimeInput', 'clientContent', 'toolResponse'];
const PIECE_MS = 2;

/** One connection: it is set up first, answers when an activity or a turn is complete, and sends JSON as binary frames. */
export class GeminiPeer {
  readonly received: GeminiClientMessage[] = [];
  readonly remembers: string[] = [];
  setup: Readonly<Record<string, unknown>> | null = null;
  audioBytes = 0;
  readonly #socket: WebSocket;
  readonly #options: GeminiServerOptions;

  constructor(socket: WebSocket, options: GeminiServerOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (data) => this.#receive(JSON.parse(String(data)) as GeminiClientMessage));
    socket.on('error', () => {});
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  send(message: object): void {
    if (this.isOpen) this.#socket.send(Buffer.from(JSON.stringify(message)));
  }

  /** Drops the connection without a word. */
  cut(): void {
    this.#socket.terminate();
  }

  #receive(message: GeminiClientMessage): void {
    this.received.push(message);
    const [kind] = Object.keys(message);
    const isFirst = this.setup === null;
    if (!KINDS.includes(kind ?? '') || isFirst !== (kind === 'setup'))
      return this.#socket.close(1007, 'Invalid message');
    if (message.setup !== undefined) {
      this.setup = message.setup;
      const { handle } = (message.setup['sessionResumption'] ?? {}) as { handle?: string };
      const known = handle === undefined ? [] : this.#options.handles?.get(handle);
      if (known === undefined) return this.#socket.close(1008, 'The handle is not valid.');
      this.remembers.push(...known);
      return this.send({ setupComplete: {} });
    }
    if (message.realtimeInput !== undefined) return this.#hear(message.realtimeInput);
    if (message.clientContent !== undefined) {
      this.remembers.push(...message.clientContent.turns.map(inWords));
      if (message.clientContent.turnComplete) this.#answer();
      return;
    }
    for (const { response } of message.toolResponse!.functionResponses)
      this.remembers.push(`result: ${response.output}`);
    this.#answer();
  }

  #hear({ audio, activityEnd }: NonNullable<GeminiClientMessage['realtimeInput']>): void {
    if (audio !== undefined) this.audioBytes += Buffer.from(audio.data, 'base64').length;
    if (activityEnd === undefined) return;
    const text = this.#options.hears?.shift() ?? '';
    for (const word of text.split(/(?<=\s)/)) this.send({ serverContent: { inputTranscription: { text: word } } });
    this.remembers.push(`user: ${text}`);
    this.#answer();
  }

  /** While it answers, there is none. */
  #giveHandle(): void {
    const { handles } = this.#options;
    if (handles === undefined) return;
    const newHandle = `handle-${handles.size + 1}`;
    handles.set(newHandle, [...this.remembers]);
    this.send({ sessionResumptionUpdate: { newHandle, resumable: true } });
  }

  #answer(): void {
    const answer = this.#options.answer(this.remembers);
    if (typeof answer === 'object') {
      this.remembers.push(`call: ${answer.call.name}`);
      return this.send({ toolCall: { functionCalls: [{ id: 'function-call-1', ...answer.call }] } });
    }
    const words = spokenWords(answer);
    this.remembers.push(`model: ${answer}`);
    this.#say(words);
  }

  /** One piece after the other: timers of their own would overtake each other on a busy machine. */
  #say([word, ...rest]: readonly SpokenWord[]): void {
    if (word === undefined) return;
    this.send({ serverContent: { outputTranscription: { text: `${word.text} ` } } });
    const data = Buffer.from(word.pcm.buffer).toString('base64');
    this.send({
      serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data } }] } },
    });
    if (rest.length > 0) return void setTimeout(() => this.#say(rest), PIECE_MS);
    this.send({ serverContent: { generationComplete: true } });
    this.send({ serverContent: { turnComplete: true }, usageMetadata: this.#options.usage ?? { totalTokenCount: 10 } });
    this.#giveHandle();
  }
}

function inWords({ role, parts }: Turn): string {
  const [part] = parts;
  if (part?.functionCall !== undefined) return `call: ${part.functionCall.name}`;
  if (part?.functionResponse !== undefined) return `result: ${part.functionResponse.response.output}`;
  return `${role}: ${part?.text ?? ''}`;
}

export type GeminiServer = Awaited<ReturnType<typeof openGeminiServer>>;

/** A server on this machine that speaks the documented protocol of Gemini Live, with a script and tones. */
export async function openGeminiServer(options: GeminiServerOptions) {
  const peers: GeminiPeer[] = [];
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const server = { refuses: null as number | null };
  http.on('upgrade', (request, socket, head) => {
    if (server.refuses !== null)
      return void socket.end(`HTTP/1.1 ${server.refuses} Refused\r\nConnection: close\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (ws: WebSocket) => {
      // It takes every handshake, and refuses a key by closing.
      if (request.headers['x-goog-api-key'] !== 'the-key') return ws.close(1008, 'API key not valid.');
      peers.push(new GeminiPeer(ws, options));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return Object.assign(server, {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    options,
    peers,
    async close() {
      for (const peer of peers) peer.cut();
      http.close();
      http.closeAllConnections();
    },
  });
}

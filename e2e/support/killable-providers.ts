import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { spoken } from '../../models/testing/sounds.ts';
import { RateConverter } from '../../models/rate-converter.ts';

/**
 * A provider on this machine. `kill` has the effect of SIGKILL: every connection breaks, and no new one is accepted.
 */
export interface KillableProvider {
  readonly url: string;
  readonly isAlive: boolean;
  kill(): void;
}

async function killableProvider(
  answer: (request: IncomingMessage, response: ServerResponse, kill: () => void) => Promise<void>,
): Promise<KillableProvider & { readonly server: ReturnType<typeof createServer> }> {
  const sockets = new Set<Socket>();
  let isAlive = true;
  const kill = (): void => {
    isAlive = false;
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((request, response) => {
    // The client may disconnect, or the provider may be killed, during an answer.
    answer(request, response, kill).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get isAlive() {
      return isAlive;
    },
    kill,
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

/** About as fast as a language model writes. */
const TOKEN_MS = 30;

/**
 * An LLM in the OpenAI chat format (platform.openai.com/docs/api-reference/chat-streaming). It tells a story. When it
 * is asked for the rest, it continues after the words that were said, as instructed models do.
 * @param diesAfter it is killed after these words of the story.
 */
export async function storyLlm(
  story: string,
  diesAfter?: string,
): Promise<KillableProvider & { readonly asked: ChatMessage[][] }> {
  const asked: ChatMessage[][] = [];
  const service = await killableProvider(async (request, response, kill) => {
    const { messages } = JSON.parse(await bodyOf(request)) as { messages: ChatMessage[] };
    asked.push(messages);
    const [before, last] = messages.slice(-2);
    const said = before?.role === 'assistant' && last?.content.includes('the rest') === true ? before.content : '';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const tell = (delta: object, finishReason: string | null): void => {
      const choices = [{ index: 0, delta, finish_reason: finishReason }];
      response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices })}\n\n`);
    };
    let told = said;
    for (const token of story.slice(said.length).match(/\s*\S+/gu) ?? []) {
      tell({ content: token }, null);
      told += token;
      await pause(TOKEN_MS);
      if (diesAfter !== undefined && told.endsWith(diesAfter)) return kill();
    }
    tell({}, 'stop');
    response.end('data: [DONE]\n\n');
  });
  return Object.assign(service, { asked });
}

/**
 * A voice in the OpenAI speech format (platform.openai.com/docs/api-reference/audio/createSpeech): 24 kHz, 16 bit, no
 * times.
 * @param diesIn it is killed in the middle of the sentence with these words.
 */
export async function voiceService(diesIn?: string): Promise<KillableProvider & { readonly said: string[] }> {
  const said: string[] = [];
  const service = await killableProvider(async (request, response, kill) => {
    const { input } = JSON.parse(await bodyOf(request)) as { input: string };
    said.push(input);
    const pcm = Buffer.from(new RateConverter(16_000, 24_000).convert(spoken(input)).buffer);
    response.writeHead(200, { 'content-type': 'audio/pcm' });
    if (diesIn === undefined || !input.includes(diesIn)) return void response.end(pcm);
    response.write(pcm.subarray(0, 2 * Math.floor(pcm.length / 4)));
    // What was written reaches the client.
    await pause(300);
    kill();
  });
  return Object.assign(service, { said });
}

const BYTES_PER_SECOND = 32_000;

/**
 * A recognizer in the format of Deepgram's live audio
 * (developers.deepgram.com/reference/speech-to-text/listen-streaming). It is killed before it has recognized a word.
 * @param diesAfter seconds of received speech after which it is killed.
 */
export async function recognizerService(diesAfter: number): Promise<KillableProvider> {
  const service = await killableProvider(async (_request, response) => void response.writeHead(404).end());
  const sockets = new WebSocketServer({ server: service.server });
  let bytes = 0;
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) bytes += data.length;
      if (bytes > diesAfter * BYTES_PER_SECOND) service.kill();
    });
  });
  return service;
}

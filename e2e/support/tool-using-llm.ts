import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly function: { readonly name: string } }[];
}
interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** What it tells of each answer. */
const USAGE = { prompt_tokens: 1_000, completion_tokens: 100 };

/** An LLM and a web server of a hotel, on one address. */
export interface Hotel {
  /** `host:port` */
  readonly address: string;
  /** What the webhook was sent. */
  readonly asked: readonly string[];
  close(): void;
}

/**
 * An LLM in the OpenAI chat format (platform.openai.com/docs/api-reference/chat-streaming) below `/v1`. It calls one tool
 * in each turn of the user, the one after that of the turn before, and says the first sentence that the tool answers.
 * `/rooms` is a webhook.
 * @param rooms what the webhook answers. @param afterMs how long it takes for that.
 */
export async function openHotel(rooms: string, afterMs = 0): Promise<Hotel> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    if (request.url === '/rooms') {
      asked.push(body);
      setTimeout(() => response.end(rooms), afterMs);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [delta, finishReason] of answerTo(JSON.parse(body) as ChatRequest)) {
      const choices = [{ index: 0, delta, finish_reason: finishReason }];
      response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices })}\n\n`);
    }
    response.end(`data: ${JSON.stringify({ id: 'c', choices: [], usage: USAGE })}\n\ndata: [DONE]\n\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerTo({ messages, tools = [] }: ChatRequest): readonly (readonly [object, string | null])[] {
  const last = messages.at(-1);
  if (last?.role === 'tool')
    return [
      [{ role: 'assistant', content: firstSentence(last.content ?? '') }, null],
      [{}, 'stop'],
    ];
  const names = tools.map((tool) => tool.function.name);
  // Not by the number of turns: an LLM is sent a window of them, with the same number each time.
  const called = messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name));
  const name = names[(names.indexOf(called.at(-1) ?? '') + 1) % Math.max(names.length, 1)];
  if (name === undefined)
    return [
      [{ role: 'assistant', content: 'Yes.' }, null],
      [{}, 'stop'],
    ];
  const call = {
    index: 0,
    id: `call_${called.length}`,
    type: 'function',
    function: { name, arguments: '{"query":"breakfast"}' },
  };
  return [
    [{ role: 'assistant', tool_calls: [call] }, null],
    [{}, 'tool_calls'],
  ];
}

const firstSentence = (text: string): string => /[A-Z][\w ,]*\./u.exec(text)?.[0] ?? text;

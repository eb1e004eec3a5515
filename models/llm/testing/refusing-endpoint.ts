import { afterEach } from 'vitest';
import type { LlmEvent, LlmMessage, LlmNotice, LlmRequest } from '../../ports.ts';
import { createLanguageModel, EndpointMemories, EndpointLatencies, type LlmDefinition } from '../index.ts';
import { delta, scriptedServer, sse, type ScriptedServer, type SeenRequest } from './scripted-server.ts';

export interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string; readonly tool_call_id?: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/**
 * An endpoint that refuses some requests. @param refuse the status and body of a refusal; null: the request is
 * answered.
 */
export async function refusingEndpoint(
  refuse: (body: Sent, asked: number) => readonly [status: number, body: unknown] | null,
  more: Partial<LlmDefinition> = {},
) {
  const server = await scriptedServer((response, { body }) => {
    const refusal = refuse(body as unknown as Sent, server.seen.length);
    if (refusal === null) return sse(response, [delta({ content: 'Yes.' }), delta({}, 'stop')]);
    response.writeHead(refusal[0], { 'content-type': 'application/json' }).end(JSON.stringify(refusal[1]));
  });
  servers.push(server);
  const definition = {
    name: 't',
    format: 'openai',
    urls: [{ url: server.url }],
    modelName: 'm',
    secret: 'sk-1',
    ...more,
  };
  const model = createLanguageModel(definition, {
    latencies: new EndpointLatencies(),
    memories: new EndpointMemories(),
  });
  const notices: LlmNotice[] = [];
  async function ask(request: Partial<LlmRequest> = {}): Promise<string> {
    let said = '';
    const whole = { messages: TALK, tools: [], sessionId: 's', correlationId: 'c', language: 'en', ...request };
    const stream = model.stream({ ...whole, noticed: (notice) => notices.push(notice) }, new AbortController().signal);
    for await (const event of stream as AsyncIterable<LlmEvent>) if (event.type === 'text') said += event.text;
    return said;
  }
  return { ask, notices, seen: server.seen };
}

export const TALK: readonly LlmMessage[] = [
  { role: 'system', content: 'You are Ada.' },
  { role: 'assistant', content: 'Welcome!' },
  { role: 'user', content: 'Hello?' },
];
export const bodyOf = (seen: readonly SeenRequest[]): Sent => seen.at(-1)?.body as unknown as Sent;

import { Template } from '@huggingface/jinja';
import type { Fetch } from '../definition.ts';
import type { ChatTemplate } from './chat-templates.ts';
import { delta } from './scripted-server.ts';

/** What a chat template refuses by itself. */
class TemplateRefusal extends Error {}

interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

/** Whether the library that renders templates here lacks something that this one uses. */
export type Readable = 'readable' | 'unreadable';

export interface TemplateServer {
  readonly fetch: Fetch;
  /** Prompts that were rendered, the newest last. */
  readonly prompts: readonly string[];
  readonly refusals: readonly string[];
  readable: Readable;
}

/** Answers like llama.cpp with this template: what the template raises is an error 500, everything else an answer. */
export function templateServer({ source }: ChatTemplate): TemplateServer {
  const template = parse(source);
  const prompts: string[] = [];
  const refusals: string[] = [];
  const server: TemplateServer = { fetch: answer as unknown as Fetch, prompts, refusals, readable: 'readable' };
  if (template === null) server.readable = 'unreadable';

  function answer(_url: string, init: { body: string }): Promise<Response> {
    const { messages, tools } = JSON.parse(init.body) as { messages: WireMessage[]; tools?: unknown[] };
    try {
      if (template === null) throw new Error('unreadable');
      prompts.push(render(source, template, messages, tools));
    } catch (error) {
      if (!(error instanceof TemplateRefusal)) server.readable = 'unreadable';
      const message = `\n------------\nWhile executing CallExpression in source:\nError: Jinja Exception: ${String(error)}`;
      refusals.push(message);
      const body = JSON.stringify({ error: { code: 500, message, type: 'server_error' } });
      return Promise.resolve(new Response(body, { status: 500 }));
    }
    const said = [delta({ content: 'Yes.' }), delta({}, 'stop')].map((one) => `data: ${JSON.stringify(one)}\n\n`);
    const headers = { 'content-type': 'text/event-stream' };
    return Promise.resolve(new Response(`${said.join('')}data: [DONE]\n\n`, { headers }));
  }
  return server;
}

function parse(source: string): Template | null {
  try {
    return new Template(source);
  } catch {
    return null;
  }
}

/** Some templates read the arguments of calls as an object, others as text: llama.cpp finds out, too. */
function render(source: string, template: Template, messages: readonly WireMessage[], tools: unknown): string {
  const asObjects = messages.map((message) => ({
    ...message,
    content: message.content ?? '',
    ...(message.tool_calls !== undefined && {
      tool_calls: message.tool_calls.map((call) => ({
        ...call,
        function: { ...call.function, arguments: JSON.parse(call.function.arguments) as unknown },
      })),
    }),
  }));
  const forms = [asObjects, messages].flatMap((form) =>
    [tools, tools ?? []].map((offered) => [form, offered] as const),
  );
  let unreadable: unknown;
  for (const [form, offered] of forms) {
    try {
      return template.render({
        messages: form,
        ...(offered !== undefined && { tools: offered }),
        add_generation_prompt: true,
        bos_token: '<s>',
        eos_token: '</s>',
      });
    } catch (error) {
      if (isOfTemplate(source, error)) throw new TemplateRefusal(String(error), { cause: error });
      unreadable = error;
    }
  }
  throw unreadable;
}

/** What a template raises is written in it. */
function isOfTemplate(source: string, error: unknown): boolean {
  const words = error instanceof Error ? error.message.slice(0, 20) : '';
  return words !== '' && source.includes(words);
}

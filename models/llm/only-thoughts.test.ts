import { afterEach, describe, expect, it } from 'vitest';
import { createLanguageModel } from './index.ts';
import { EndpointMemories } from './request/endpoint-memory.ts';
import { QUESTION } from './testing/questions.ts';
import { delta, scriptedServer, sse, type SeenRequest } from './testing/scripted-server.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

type Body = SeenRequest['body'];

/** @returns what asks a model at an address, as a session does. */
function asking(url: string) {
  const definition = { name: 'm', format: 'openai', urls: [{ url: url }], modelName: 'm', secret: null };
  const memories = new EndpointMemories();
  async function ask(more: object = {}) {
    const notices: string[] = [];
    const request = { ...QUESTION, noticed: ({ sentence }: { readonly sentence: string }) => notices.push(sentence) };
    const { signal } = new AbortController();
    let text = '';
    for await (const event of createLanguageModel({ ...definition, ...more }, { memories }).stream(request, signal))
      if (event.type === 'text') text += event.text;
    return { text, notices };
  }
  return ask;
}

/** A model that thinks until its tokens are spent, unless a request is `enough` for it. */
async function thinker(enough: (body: Body) => boolean, refuses: (body: Body) => string | null = () => null) {
  const server = await scriptedServer((response, { body }) => {
    const refused = refuses(body);
    if (refused !== null) return void response.writeHead(400).end(JSON.stringify({ error: { message: refused } }));
    const thought = delta({ reasoning_content: 'Hm. ' });
    if (enough(body)) return sse(response, [thought, delta({ content: 'Hello.' }), delta({}, 'stop')]);
    return sse(response, [thought, delta({ content: '' }), delta({}, 'length')]);
  });
  closing.push(server.close);
  return { server, ask: asking(server.url) };
}

/** Users heard an apology in each turn: every answer was asked for three times in the same way. */
describe('A model that only thinks', () => {
  it('gets the room that it needs, in the same turn and in those after it', async () => {
    const { server, ask } = await thinker(({ max_tokens }) => max_tokens === undefined);
    for (const _turn of ['first', 'second']) expect(await ask({ maxTokens: 200 })).toMatchObject({ text: 'Hello.' });
    expect(server.seen.map(({ body }) => body['max_tokens'])).toEqual([200, undefined, undefined]);
  });

  it('is asked to think less where no limit of ours is in its way, and what of that it refuses is left out', async () => {
    const { server, ask } = await thinker(
      ({ reasoning_effort }) => reasoning_effort === 'low',
      ({ chat_template_kwargs }) =>
        chat_template_kwargs ? 'Unrecognized request argument: chat_template_kwargs' : null,
    );
    const { text, notices } = await ask();
    expect(text).toBe('Hello.');
    expect(notices).toContain('It spent all its tokens on reasoning and said nothing: it is asked to think less.');
    expect(server.seen).toHaveLength(3);
  });

  /** Without a parser for reasoning, thoughts come as text. They are not spoken, and counted as an answer: silence. */
  it('aloud is asked better the next time: what came as text cannot be taken back', async () => {
    const server = await scriptedServer((response, { body }) =>
      sse(response, [
        delta({ content: '<think>Hm. ' }),
        delta({ content: body['max_tokens'] === undefined ? '</think>Hello.' : 'Hm.' }),
        delta({}, body['max_tokens'] === undefined ? 'stop' : 'length'),
      ]),
    );
    closing.push(server.close);
    const ask = asking(server.url);
    await expect(ask({ maxTokens: 200 })).rejects.toThrow('only thought');
    expect((await ask({ maxTokens: 200 })).text).toBe('<think>Hm. </think>Hello.');
  });

  it('is not asked to by a setting that it does not know', async () => {
    const { ask } = await thinker(
      () => true,
      ({ reasoning_effort }) => (reasoning_effort ? '"gemma3" does not support thinking' : null),
    );
    expect((await ask({ reasoningEffort: 'low' })).text).toBe('Hello.');
  });

  it('and says nothing whatever is done is told so', async () => {
    const { server, ask } = await thinker(() => false);
    await expect(ask({ maxTokens: 200 })).rejects.toThrow('only thought, and said nothing: give it more tokens');
    expect(server.seen).toHaveLength(3);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import type { LlmEvent, LlmRequest } from '../ports.ts';
import { geminiUrl } from './gemini.ts';
import { createLanguageModel, EndpointLatencies, type LlmDefinition } from './index.ts';
import { QUESTION, twoCalls } from './testing/questions.ts';
import { scriptedServer, sse, type Script, type ScriptedServer } from './testing/scripted-server.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const parts = (...list: unknown[]) => ({ candidates: [{ content: { role: 'model', parts: list } }] });
const finish = (reason: string) => ({ candidates: [{ content: { parts: [] }, finishReason: reason }] });

async function setUp(script: Script, more: Partial<LlmDefinition> = {}) {
  const server = await scriptedServer(script);
  servers.push(server);
  const model = createLanguageModel(
    {
      name: 'g',
      format: 'gemini',
      urls: [{ url: `${server.url}/v1beta` }],
      modelName: 'gemini-x',
      secret: 'key',
      ...more,
    },
    { latencies: new EndpointLatencies(), deadlines: { firstTokenMs: 5_000, idleMs: 5_000 } },
  );
  const ask = async (request: LlmRequest = QUESTION): Promise<LlmEvent[]> => {
    const events: LlmEvent[] = [];
    for await (const event of model.stream(request, new AbortController().signal)) events.push(event);
    return events;
  };
  return { ask, seen: server.seen };
}

describe('a Gemini endpoint', () => {
  it('streams thoughts, text and calls', async () => {
    const { ask, seen } = await setUp(
      (response) =>
        sse(
          response,
          [
            parts({ text: 'Hm.', thought: true }),
            parts({ text: 'Good ' }, { text: 'day.' }),
            parts({ functionCall: { id: 'f1', name: 'look', args: { at: 'sky' } } }),
            finish('STOP'),
          ],
          'close',
        ),
      { temperature: 0.5, maxTokens: 99, reasoningEffort: 'low', reasoningFormat: 'parsed' },
    );
    expect(
      await ask({ ...QUESTION, tools: [{ name: 'look', description: 'Looks', parameters: { type: 'object' } }] }),
    ).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Good ' },
      { type: 'text', text: 'day.' },
      { type: 'tool-call', call: { id: 'f1', name: 'look', arguments: '{"at":"sky"}' } },
      { type: 'done', finishReason: 'stop' },
    ]);
    expect(seen[0]).toMatchObject({
      path: '/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
      headers: { 'x-goog-api-key': 'key', 'x-session-id': 's', 'x-correlation-id': 'c' },
      body: {
        systemInstruction: { parts: [{ text: 'Be kind.' }] },
        contents: [{ role: 'user', parts: [{ text: 'Hello?' }] }],
        tools: [
          { functionDeclarations: [{ name: 'look', description: 'Looks', parametersJsonSchema: { type: 'object' } }] },
        ],
        generationConfig: {
          temperature: 0.5,
          maxOutputTokens: 99,
          thinkingConfig: { thinkingLevel: 'low', includeThoughts: true },
        },
      },
    });
  });

  it.each([
    ['gemini-2.5-flash', { thinkingBudget: 8192 }],
    ['gemini-3-flash-preview', { thinkingLevel: 'medium' }],
  ])('thinks as its version does: %s', async (modelName, thinkingConfig) => {
    const { ask, seen } = await setUp((response) => sse(response, [parts({ text: 'Yes.' }), finish('STOP')], 'close'), {
      modelName,
      reasoningEffort: 'medium',
    });
    await ask();
    expect(seen[0]?.body).toMatchObject({ generationConfig: { thinkingConfig } });
  });

  it('gets its calls back with their signatures, roles alternating', async () => {
    const { ask, seen } = await setUp((response) =>
      sse(
        response,
        [parts({ functionCall: { id: 'f1', name: 'look', args: {} }, thoughtSignature: 'sig' }), finish('STOP')],
        'close',
      ),
    );
    await ask();
    await ask({ ...QUESTION, messages: twoCalls('renamed', 'old', '{}') });
    expect(seen[1]?.body.contents).toEqual([
      { role: 'user', parts: [{ text: '(The conversation begins.)' }] },
      { role: 'model', parts: [{ text: 'Hi, I am Ada. ' }] },
      { role: 'user', parts: [{ text: 'Look!' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'look', args: {} }, thoughtSignature: 'sig' },
          { functionCall: { name: 'hear', args: {} }, thoughtSignature: 'skip_thought_signature_validator' },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'look', response: { result: 'blue' } } },
          { functionResponse: { name: 'hear', response: { result: 'birds' } } },
          { text: '(Instruction: Be brief.)' },
        ],
      },
    ]);
  });

  it.each<[string, Script, string]>([
    [
      'a refused key',
      (response) => {
        response.writeHead(403).end('{}');
      },
      'auth',
    ],
    [
      'a full quota',
      (response) => {
        response.writeHead(429).end('{}');
      },
      'rate-limit',
    ],
    [
      'a blocked prompt',
      (response) => sse(response, [{ promptFeedback: { blockReason: 'SAFETY' } }], 'close'),
      'bad-request',
    ],
    ['a stream that breaks off', (response) => sse(response, [parts({ text: 'Well' })], 'close'), 'bad-response'],
    [
      'malformed JSON',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('data: {"cand\n\n');
      },
      'bad-response',
    ],
    [
      'an overload that is told in the stream',
      (response) => sse(response, [{ error: { code: 503, status: 'UNAVAILABLE' } }], 'close'),
      'server',
    ],
    ['an error event', (response) => sse(response, [{ error: { status: 'UNAVAILABLE' } }], 'close'), 'server'],
  ])('reports %s', async (_what, script, code) => {
    const { ask } = await setUp(script);
    await expect(ask()).rejects.toMatchObject({ name: 'ProviderError', code });
  });

  it('takes base, model address and full endpoint', () => {
    const full = 'https://g.example.com/v1beta/models/m-1:streamGenerateContent?alt=sse';
    expect(geminiUrl('https://g.example.com/v1beta/', 'm-1')).toBe(full);
    expect(geminiUrl('https://g.example.com', 'm-1')).toBe(full);
    expect(geminiUrl('https://g.example.com/v1beta/models', 'models/m-1')).toBe(full);
    expect(geminiUrl('https://g.example.com/v1beta/models/m-1:generateContent', 'ignored')).toBe(full);
    expect(geminiUrl(full, 'ignored')).toBe(full);
  });
});

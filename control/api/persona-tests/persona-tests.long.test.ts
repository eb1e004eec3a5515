import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LanguageModel, LlmRequest } from '../../../models/ports.ts';
import { createOfflineLlm } from '../../../models/llm/offline-llm.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { fakePorts } from '../../testing/fake-ports.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { eventually } from '../../../engine/testing/eventually.ts';

/** While it is silent, it answers nothing that has this word in it. */
class SilentLlm {
  asked = 0;
  left = 0;
  #isSilent = false;

  begin(): void {
    this.#isSilent = true;
  }

  end(): void {
    this.#isSilent = false;
  }

  around(llm: LanguageModel): LanguageModel {
    const silence = async (signal: AbortSignal): Promise<void> => {
      this.asked += 1;
      if (!signal.aborted) await once(signal, 'abort');
      this.left += 1;
      signal.throwIfAborted();
    };
    const isSilentFor = ({ messages }: LlmRequest): boolean =>
      this.#isSilent && messages.some(({ role, content }) => role === 'user' && content.includes('Silence'));
    return {
      ...llm,
      async *stream(request, signal) {
        if (isSilentFor(request)) await silence(signal);
        yield* llm.stream(request, signal);
      },
    };
  }
}

/** Whoever looks at a run meanwhile. */
const PROMPT = 'You are the receptionist of the Harbor Hotel. Breakfast is from 7 to 10.';

describeOnBothDatabases('tests of personas', (stores) => {
  let service: TestService;
  const slow = new SilentLlm();
  beforeAll(async () => {
    const llm = slow.around(createOfflineLlm());
    service = await startTestService(await stores.open(), {
      ports: { llms: { ...fakePorts([]).llms, stock: () => llm } },
    });
  });
  afterAll(async () => service.close());

  const send = async (method: string, url: string, body?: unknown, status = 200) => {
    const answer = await service.send(method, url, body);
    expect(answer.status, answer.text).toBe(status);
    return answer.body;
  };
  const persona = async (body: object = {}): Promise<string> =>
    (await send('POST', '/v1/personas', { name: 'Ada', avatarId: STOCK.avatar, systemPrompt: PROMPT, ...body }, 201))
      .id;
  const test = (id: string, body: object) => send('POST', `/v1/personas/${id}/tests`, body, 201);
  const run = async (id: string, body: object = {}) => {
    const { id: runId } = await send('POST', `/v1/personas/${id}/test-runs`, body, 202);
    return eventually(async () => {
      const now = await send('GET', `/v1/personas/${id}/test-runs/${runId}`);
      expect(['passed', 'failed']).toContain(now.status);
      return now;
    });
  };
  const says = (line: string, ...anyOf: string[]) => ({
    name: line,
    user: { kind: 'lines', lines: [line] },
    checks: [{ kind: 'said', anyOf }],
  });

  it('run in seconds and say what came of each check', async () => {
    const id = await persona();
    await test(id, says('What is 7 times 8?', '56', 'fifty-six'));
    await test(id, says('What is 7 times 9?', 'a hundred'));
    const { status, total, passed, failed, results, version } = await run(id);
    expect({ status, total, passed, failed, version }).toEqual({
      status: 'failed',
      total: 2,
      passed: 1,
      failed: 1,
      version: 1,
    });
    expect(results[1]).toMatchObject({
      name: 'What is 7 times 9?',
      passed: false,
      attempts: [
        {
          passed: false,
          checks: [{ kind: 'said', passed: false, why: 'It did not.' }],
          endReason: 'client_disconnected',
        },
      ],
    });
    const { xml } = await send('GET', `/v1/personas/${id}/test-runs/${(await runsOf(id))[0].id}/junit`);
    expect(xml).toContain('<testsuites tests="2" failures="1">');
    expect(xml).toContain('name="What is 7 times 9?"');
  });
  const runsOf = async (id: string) => (await send('GET', `/v1/personas/${id}/test-runs`)).data;

  it('answer tools by mocks, and call no webhook', async () => {
    const tool = await send(
      'POST',
      '/v1/tools',
      {
        name: 'get_weather',
        description: 'The weather of a city',
        type: 'SERVER_WEBHOOK',
        config: {
          url: 'https://weather.example.com/',
          method: 'POST',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
      201,
    );
    const id = await persona({ toolIds: [tool.id] });
    const weather = {
      user: { kind: 'lines', lines: ['What is the weather in Paris?'] },
      checks: [{ kind: 'toolCalled', tool: 'get_weather', arguments: { city: 'paris' } }],
    };
    const mocks = [
      { tool: 'get_weather', whenArguments: { city: 'Rome' }, error: 'no' },
      { tool: 'get_weather', result: { temperature: 21 } },
    ];
    await test(id, { name: 'with a mock', ...weather, mocks });
    await test(id, { name: 'without', ...weather });
    const { results } = await run(id);
    expect(results[0]).toMatchObject({ passed: true });
    expect(results[0].attempts[0].toolCalls).toMatchObject([{ tool: 'get_weather', arguments: { city: 'Paris' } }]);
    expect(results[1].attempts[0]).toMatchObject({ passed: false, problem: 'get_weather was called and has no mock.' });
  });

  it('test the draft, and can be required of it', async () => {
    const id = await persona({ publishingRequiresTests: true });
    await test(id, {
      ...says('Hello', 'harbor'),
      name: 'greets',
      user: { kind: 'lines', lines: [] },
    });
    const change = (initialMessage: string) => send('PUT', `/v1/personas/${id}/draft`, { changes: { initialMessage } });
    await change('Welcome.');
    expect((await send('POST', `/v1/personas/${id}/publish`, {}, 409)).error).toBe('Tests not passed');
    expect((await run(id, { version: 'draft' })).status).toBe('failed');
    expect((await send('POST', `/v1/personas/${id}/publish`, {}, 409)).error).toBe('Tests not passed');
    await change('Welcome to the Harbor Hotel.');
    expect((await run(id, { version: 'draft' })).status).toBe('passed');
    // What passed is not what is there now.
    await change('Welcome to the hotel.');
    await send('POST', `/v1/personas/${id}/publish`, {}, 409);
    await change('Welcome to the Harbor Hotel.');
    expect((await send('POST', `/v1/personas/${id}/publish`, {})).version).toBe(2);
    // The API publishes as it always did.
    expect((await send('PUT', `/v1/personas/${id}`, { systemPrompt: 'x' })).version).toBe(3);
  });

  /** It went on to its end, with every call to the LLM that it had left, and runs after it waited. */
  it('end when their run is cancelled, and what has a result keeps it', async () => {
    const id = await persona();
    const cancel = (runId: string, status = 200) =>
      send('POST', `/v1/personas/${id}/test-runs/${runId}/cancel`, undefined, status);
    const look = (runId: string) => send('GET', `/v1/personas/${id}/test-runs/${runId}`);
    await test(id, { ...says('What is 7 times 8?', '56', 'fifty-six'), name: 'A quick one' });
    slow.begin();
    for (const line of ['Silence one', 'Silence two', 'Silence three', 'Silence four', 'Silence five'])
      await test(id, says(line, 'never'));
    const first = await send('POST', `/v1/personas/${id}/test-runs`, {}, 202);
    const waiting = await send('POST', `/v1/personas/${id}/test-runs`, {}, 202);
    await eventually(() => expect(slow.asked).toBe(4));
    expect(await cancel(waiting.id)).toMatchObject({ status: 'cancelled', passed: 0 });
    expect(await cancel(first.id)).toMatchObject({ status: 'cancelled' });
    await eventually(() => expect(slow.left).toBe(4));
    await eventually(async () => expect((await look(first.id)).results).toMatchObject([{ passed: true }]));
    // What comes after them is not held up.
    slow.end();
    expect(await run(id)).toMatchObject({ status: 'failed', passed: 1, failed: 5 });
    expect(await look(first.id)).toMatchObject({ status: 'cancelled', passed: 1, failed: 0, total: 6 });
    expect(await look(waiting.id)).toMatchObject({ status: 'cancelled', passed: 0, failed: 0 });
    expect(slow.asked).toBe(4);
    await cancel(first.id, 409);
    await cancel((await run(id)).id, 409);
    await cancel('0a6c9d1e-7f7b-4f0b-9f3e-5e1b7a2c4d10', 404);
  });

  it('are kept, changed and deleted', async () => {
    const id = await persona();
    const made = await test(id, says('Hello', 'hi'));
    const url = `/v1/personas/${id}/tests/${made.id}`;
    expect(await send('GET', url)).toEqual(made);
    expect(await send('PUT', url, { ...says('Hello there', 'hi'), repeat: 3, passRate: 0.5 })).toMatchObject({
      repeat: 3,
    });
    expect((await send('GET', `/v1/personas/${id}/tests`)).data).toHaveLength(1);
    expect((await service.send('GET', url, undefined, service.otherKey)).status).toBe(404);
    await send('DELETE', url, undefined, 204);
    await send('GET', url, undefined, 404);
    expect((await send('POST', `/v1/personas/${id}/test-runs`, {}, 409)).error).toBe('Nothing to test');
    await send('POST', `/v1/personas/${id}/tests`, { name: 'x', user: { kind: 'lines' } }, 400);
  });

  it('are the same twice, thirty of them', async () => {
    const id = await persona();
    for (let number = 0; number < 30; number++)
      await test(id, says(`What is ${number} plus ${number}?`, String(2 * number)));
    const [one, other] = [await run(id), await run(id)];
    expect(one.total).toBe(30);
    expect(JSON.stringify(other.results)).toBe(JSON.stringify(one.results));
  });

  it('refuse a persona whose client thinks', async () => {
    const id = await persona({ llmId: 'CUSTOMER_CLIENT_V1' });
    await test(id, says('Hello', 'hi'));
    expect((await send('POST', `/v1/personas/${id}/test-runs`, {}, 409)).error).toBe('Nothing to test');
  });
});

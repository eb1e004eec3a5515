import { expect, it } from 'vitest';
import { LatencyTable } from '../latency-table.ts';
import { ProviderError, type LanguageModel, type LlmEvent, type LlmRequest } from '../ports.ts';
import { timedModel } from './timed-model.ts';

const request: LlmRequest = { messages: [], tools: [], sessionId: 's', correlationId: 'c', language: null };

/** A model whose nth event comes at 100 ms · n of a clock of its own. */
function setUp(events: readonly (LlmEvent | ProviderError)[]) {
  let now = 0;
  const model: LanguageModel = {
    name: 'scripted',
    async *stream() {
      for (const event of events) {
        now += 100;
        if (event instanceof ProviderError) throw event;
        yield event;
      }
    },
  };
  const latencies = new LatencyTable();
  const timed = timedModel(model, 'p', latencies, () => now);
  async function ask(signal = new AbortController().signal): Promise<string[]> {
    const types: string[] = [];
    for await (const event of timed.stream(request, signal)) types.push(event.type);
    return types;
  }
  return { ask, rows: () => latencies.rows() };
}

const text: LlmEvent = { type: 'text', text: 'Hi' };
const done: LlmEvent = { type: 'done', finishReason: 'stop' };

it('times the first token alone', async () => {
  const { ask, rows } = setUp([text, text, done]);
  expect(await ask()).toEqual(['text', 'text', 'done']);
  expect(rows()).toMatchObject([{ service: 'llm', provider: 'p', p50Ms: 100, answered: 1, failed: 0 }]);
});

it('counts an answer that breaks off as answered and as failed', async () => {
  const { ask, rows } = setUp([text, new ProviderError('p', 'connect', 'gone')]);
  await expect(ask()).rejects.toThrow('gone');
  expect(rows()).toMatchObject([{ answered: 1, failed: 1, lastFailure: { code: 'connect' } }]);
});

it('does not count what was not wanted any longer, nor an empty answer', async () => {
  const { ask, rows } = setUp([new ProviderError('p', 'aborted', 'no longer wanted')]);
  await expect(ask(AbortSignal.abort())).rejects.toThrow('no longer wanted');
  expect(rows()).toEqual([]);
  const empty = setUp([done]);
  await empty.ask();
  expect(empty.rows()).toEqual([]);
});

it('counts one that is left because another LLM is quicker', async () => {
  const { ask, rows } = setUp([new ProviderError('p', 'aborted', 'no longer wanted')]);
  const late = new ProviderError('p', 'timeout', 'It did not answer in time.');
  await expect(ask(AbortSignal.abort(late))).rejects.toThrow('no longer wanted');
  expect(rows()).toMatchObject([{ failed: 1, lastFailure: { code: 'timeout' } }]);
});

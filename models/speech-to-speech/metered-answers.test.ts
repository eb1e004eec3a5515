import { expect, it } from 'vitest';
import type { Amounts } from '../ports.ts';
import { createSpeechModel } from './speech-model.ts';
import { PROMPT, talk, user } from './testing/talk.ts';

const USAGE = {
  input_tokens: 120,
  output_tokens: 70,
  input_token_details: { text_tokens: 100, audio_tokens: 20, cached_tokens: 0 },
  output_token_details: { text_tokens: 10, audio_tokens: 60 },
};
const TOLD = { inputTokens: 100, outputTokens: 10, audioInputTokens: 20, audioOutputTokens: 60, reportedRequests: 1 };

function sum(all: readonly Amounts[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const amounts of all)
    for (const [unit, amount] of Object.entries(amounts)) total[unit] = (total[unit] ?? 0) + amount;
  return total;
}

it('counts what each answer cost, also of one that was left and of a text that was read', async () => {
  const call = await talk({ usage: USAGE });
  await call.ask([PROMPT, user('Hello.')]);
  expect(sum(call.amounts)).toEqual({ requests: 1, ...TOLD });
  const left = new AbortController();
  const asking = call.ask([PROMPT, user('Hello.'), user('And?')], [], left.signal);
  await expect.poll(() => sum(call.amounts)['requests']).toBe(2);
  left.abort();
  await expect(asking).rejects.toThrow('no longer wanted');
  await call.read('Goodbye.', 'bye');
  await expect
    .poll(() => sum(call.amounts))
    .toMatchObject({ requests: 3, reportedRequests: 3, audioOutputTokens: 180 });
});

/** The model begins to answer before the words of the user are known. It costs as much as an answer that is heard. */
it('counts an answer that the model began ahead, whether it is used or not', async () => {
  const call = await talk({ usage: USAGE, hears: ['Good morning.'] });
  await call.ask([PROMPT, user('Hello.')]);
  call.session.heard('none');
  await call.speak('Hello there.', 'one');
  call.session.heard('one');
  await call.say();
  await expect.poll(() => sum(call.amounts)).toMatchObject({ requests: 2, reportedRequests: 2 });
});

it('does not know what an answer cost whose server does not say it, and knows that a refused one cost nothing', async () => {
  const silent = await talk();
  await silent.ask([PROMPT, user('Hello.')]);
  expect(sum(silent.amounts)).toEqual({ requests: 1 });
  const refusing = await talk({ answer: () => ({ fail: 'rate_limit_exceeded' }) });
  await expect(refusing.ask([PROMPT, user('Hello.')])).rejects.toThrow();
  expect(sum(refusing.amounts)).toEqual({ requests: 1, reportedRequests: 1 });
});

it('counts for a question without a session what it cost', async () => {
  const { server } = await talk({ usage: USAGE });
  const model = createSpeechModel({
    name: 'House voice',
    format: 'advanced_voice',
    urls: [{ url: server.url }],
    modelName: 'gpt-realtime',
    secret: 'the-key',
  });
  const amounts: Amounts[] = [];
  const request = {
    messages: [PROMPT, user('Hello.')],
    tools: [],
    sessionId: 's',
    correlationId: 'c',
    language: 'en',
    metered: (use: { readonly amounts: Amounts }) => amounts.push(use.amounts),
  };
  for await (const _ of model.stream(request, new AbortController().signal));
  expect(sum(amounts)).toEqual({ requests: 1, ...TOLD });
});

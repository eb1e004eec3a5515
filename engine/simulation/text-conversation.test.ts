import { expect, it } from 'vitest';
import { testConfig, webhookTool } from '../../actors/testing/session-config.ts';
import type { SessionConfig } from '../../actors/session-config.ts';
import type { LanguageModel } from '../../models/ports.ts';
import { createOfflineLlm } from '../../models/llm/offline-llm.ts';
import type { MockedAnswer } from './mocked-tools.ts';
import { holdTextConversation } from './text-conversation.ts';

function hold(
  lines: readonly string[],
  options: { config?: Partial<SessionConfig>; llm?: LanguageModel; answer?: MockedAnswer } = {},
) {
  const waiting = [...lines];
  return holdTextConversation({
    config: testConfig(options.config),
    llm: options.llm ?? createOfflineLlm(),
    user: { next: async () => waiting.shift() ?? null },
    runTool: async () => options.answer ?? { output: '{"temperature": 21}' },
    signal: new AbortController().signal,
  });
}

const endCall = { kind: 'system', name: 'end_call', action: 'end_call' } as const;

it('holds a conversation of minutes in a moment, with the actors of a session', async () => {
  const greeting = { skip: false, initialMessage: 'Welcome to the Harbor Hotel.', uninterruptible: false };
  const { messages, end, durationMs, turns } = await hold(['What is 12 times 3?', 'Thank you!'], {
    config: { greeting },
  });
  expect(messages.map(({ role, text }) => [role, text])).toMatchObject([
    ['persona', 'Welcome to the Harbor Hotel.'],
    ['user', 'What is 12 times 3?'],
    ['persona', expect.stringMatching('36|thirty-six')],
    ['user', 'Thank you!'],
    ['persona', expect.any(String)],
  ]);
  expect(end?.reason).toBe('client_disconnected');
  expect(durationMs).toBeGreaterThan(3000);
  expect(turns.length).toBeGreaterThanOrEqual(2);
});

it('answers tools and reports what they were called with', async () => {
  const tools = [
    webhookTool('get_weather', {
      description: 'The weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    }),
  ];
  const { toolCalls } = await hold(['What is the weather in Paris?'], { config: { tools } });
  expect(toolCalls).toMatchObject([{ toolName: 'get_weather', status: 'completed', arguments: { city: 'Paris' } }]);
});

it('ends when the persona ends it', async () => {
  const tools = [{ ...webhookTool('end_call'), ...endCall }] as unknown as SessionConfig['tools'];
  const { end } = await hold(['Goodbye!', 'Are you still there?'], { config: { tools } });
  expect(end?.reason).toBe('end_call');
});

it('tells of an LLM that fails', async () => {
  const llm: LanguageModel = {
    name: 'broken',
    // eslint-disable-next-line require-yield
    async *stream() {
      throw new Error('no');
    },
  };
  const { messages, end } = await hold(['Hello?'], { llm });
  expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(end?.reason).toBe('client_disconnected');
});

it('is the same in every run', async () => {
  const lines = ['Hello, I am Ann.', 'What is 7 plus 5?', 'Tell me about yourself.', 'Bye.'];
  const [one, other] = [await hold(lines), await hold(lines)];
  expect(JSON.stringify(other)).toBe(JSON.stringify(one));
});

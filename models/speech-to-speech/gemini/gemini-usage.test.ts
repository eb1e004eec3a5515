import { expect, it } from 'vitest';
import type { Amounts } from '../../ports.ts';
import { readGeminiMessage } from './gemini-messages.ts';
import { GeminiUsage } from './gemini-usage.ts';

const usageOf = (audio: number) => ({
  promptTokenCount: 10,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 10 }],
  responseTokenCount: audio,
  responseTokensDetails: [{ modality: 'AUDIO', tokenCount: audio }],
});

function counted() {
  const told: Amounts[] = [];
  const usage = new GeminiUsage((amounts) => told.push(amounts));
  const take = (message: object): void => usage.take(readGeminiMessage(JSON.stringify(message)));
  return { told, usage, take };
}

it('takes what was told last of a turn, each time of the whole turn, and nothing after it', () => {
  const { told, usage, take } = counted();
  usage.begin();
  take({ usageMetadata: usageOf(20) });
  take({ serverContent: { turnComplete: true }, usageMetadata: usageOf(50) });
  take({ usageMetadata: usageOf(50) });
  expect(told).toEqual([{ requests: 1 }, { inputTokens: 10, audioOutputTokens: 50, reportedRequests: 1 }]);
});

it('waits for what is told after the end of a turn', () => {
  const { told, usage, take } = counted();
  usage.begin();
  take({ serverContent: { turnComplete: true } });
  take({ usageMetadata: usageOf(50) });
  expect(told.at(-1)).toEqual({ inputTokens: 10, audioOutputTokens: 50, reportedRequests: 1 });
});

it('does not take for all what was told of a turn that did not end', () => {
  const { told, usage, take } = counted();
  usage.begin();
  take({ usageMetadata: usageOf(20) });
  usage.begin();
  expect(told).toEqual([{ requests: 1 }, { inputTokens: 10, audioOutputTokens: 20 }, { requests: 1 }]);
});

it('ends no conversation for numbers that cannot be read', () => {
  const { told, usage, take } = counted();
  usage.begin();
  take({ serverContent: { turnComplete: true }, usageMetadata: 'many' });
  expect(told).toEqual([{ requests: 1 }]);
});

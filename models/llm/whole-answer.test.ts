import { expect, it } from 'vitest';
import type { LanguageModel } from '../ports.ts';
import { wholeAnswer, withoutThoughts } from './whole-answer.ts';

it.each([
  ['PASS', 'PASS'],
  ['<think>PASS? No.</think>FAIL', 'FAIL'],
  ['a<thinking>\nb</think>c<THINK>d</THINKING>e', 'ace'],
  ['a<think>b', 'a<think>b'],
  ['a</think>b', 'a</think>b'],
])('leaves out of %j what a model thinks aloud', (text, answer) => {
  expect(withoutThoughts(text)).toBe(answer);
});

it('does not read an answer without end', async () => {
  let told = 0;
  const llm: LanguageModel = {
    name: 'endless',
    async *stream() {
      for (; told < 1_000; told += 1) yield { type: 'text' as const, text: '<think>'.repeat(100) };
    },
  };
  const request = { messages: [], tools: [], sessionId: 's', correlationId: 'c', language: null };
  expect(await wholeAnswer(llm, request, new AbortController().signal)).toHaveLength(40_000);
  expect(told).toBeLessThan(100);
});

import { BroadcastChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { speak } from '../tts/testing/collect.ts';
import type { LlmEvent, LlmRequest } from '../ports.ts';
import {
  createFakeLlm,
  createFakeRecognizer,
  createFakeSynthesizer,
  createPromptedRecognizer,
  type Prompt,
} from './index.ts';

const request: LlmRequest = {
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [],
  sessionId: 's',
  correlationId: 'c',
  language: 'en',
};
const never = new AbortController().signal;

describe('the fake voice', () => {
  it('sounds exactly where it says a word is, the same every time', async () => {
    const spoken = await speak(createFakeSynthesizer(), { text: 'one two' });
    expect(spoken.words).toEqual([
      { text: 'one', startMs: 0, endMs: 200 },
      { text: 'two', startMs: 250, endMs: 450 },
    ]);
    expect(spoken.durationMs).toBe(500);
    const loud = (ms: number) => Math.max(...spoken.pcm.subarray(ms * 24, (ms + 10) * 24).map(Math.abs)) > 5_000;
    expect([0, 189, 201, 239, 251, 439, 451].map(loud)).toEqual([true, true, false, false, true, true, false]);
    expect((await speak(createFakeSynthesizer(), { text: 'one two' })).pcm).toEqual(spoken.pcm);
  });

  it('fails where it is told to', async () => {
    await expect(
      speak(createFakeSynthesizer({ failOn: { text: 'bad', afterMs: 0 } }), { text: 'a bad word' }),
    ).rejects.toMatchObject({ code: 'server' });
  });

  it('stops when it is told to', async () => {
    const abort = new AbortController();
    const speaking = speak(createFakeSynthesizer({ firstAudioMs: 60_000 }), { text: 'one' }, abort.signal);
    abort.abort();
    await expect(speaking).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('the fake recognizer', () => {
  it('understands its utterances in turn, word by word', async () => {
    const heard: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const stream = createFakeRecognizer({ utterances: ['hello there', 'bye'] }).open({
      language: null,
      keyTerms: [],
      handlers: {
        partial: (text) => heard.push(`partial ${text}`),
        final: (text) => {
          heard.push(`final ${text}`);
          if (heard.filter((each) => each.startsWith('final')).length === 3) resolve();
        },
        failed: () => {},
      },
    });
    for (let k = 0; k < 10; k += 1) stream.write(new Int16Array(16 * 100));
    stream.finish();
    stream.write(new Int16Array(160));
    stream.finish();
    stream.finish();
    await promise;
    expect(heard).toEqual(['partial hello', 'partial hello there', 'final hello there', 'final bye', 'final ']);
    stream.close();
  });
});

describe('the prompted recognizer', () => {
  it('leaves the words with the voice that says them, however its sound is cut', async () => {
    let now = 0;
    const prompts = new BroadcastChannel('fakes.test');
    const recognizer = createPromptedRecognizer({ channel: 'fakes.test', wordMs: 50, finalMs: 0 }, () => now);
    const heard: string[] = [];
    const finals: ((text: string) => void)[] = [];
    const stream = recognizer.open({
      language: null,
      keyTerms: [],
      handlers: { partial: (text) => heard.push(text), final: (text) => finals.shift()?.(text), failed: () => {} },
    });
    const finish = () =>
      new Promise<string>((resolve) => {
        finals.push(resolve);
        stream.finish();
      });
    const audio = new Int16Array(512);
    const begin = async (prompt: Prompt) => {
      prompts.postMessage(prompt);
      await new Promise<void>((resolve) =>
        echo.addEventListener('message', () => setImmediate(resolve), { once: true }),
      );
    };
    const echo = new BroadcastChannel('fakes.test');
    expect(await finish()).toBe('');
    await begin({ text: 'one two three', voicedMs: 300 });
    now = 40;
    stream.write(audio);
    expect(heard).toEqual([]);
    now = 160;
    stream.write(audio);
    stream.write(audio);
    expect(heard).toEqual(['one two']);
    // Cut in the third word, and again after it: what comes then is no voice.
    now = 190;
    expect(await finish()).toBe('one two');
    now = 400;
    expect(await finish()).toBe('three');
    stream.write(audio);
    expect(await finish()).toBe('');
    await begin({ text: 'four', voicedMs: 100 });
    now = 500;
    expect(await finish()).toBe('four');
    stream.close();
    prompts.close();
    echo.close();
    await recognizer.close();
  });
});

describe('the fake language model', () => {
  const all = async (events: AsyncIterable<LlmEvent>) => {
    const list: LlmEvent[] = [];
    for await (const event of events) list.push(event);
    return list;
  };

  it('streams its script token by token and keeps what it was asked', async () => {
    const llm = createFakeLlm({
      answers: [
        [
          { type: 'text', text: 'Two words.' },
          { type: 'tool-call', name: 'look', arguments: '{}' },
        ],
      ],
    });
    expect(await all(llm.stream(request, never))).toEqual([
      { type: 'text', text: 'Two' },
      { type: 'text', text: ' words.' },
      { type: 'tool-call', call: { id: 'call-1-1', name: 'look', arguments: '{}' } },
      { type: 'done', finishReason: 'tool_calls' },
    ]);
    expect(llm.requests).toEqual([request]);
    expect(await all(llm.stream(request, never))).toEqual([
      { type: 'text', text: 'Done.' },
      { type: 'done', finishReason: 'stop' },
    ]);
  });

  it('fails and stops when it is told to', async () => {
    await expect(
      all(createFakeLlm({ answers: [[{ type: 'fail', message: 'No.' }]] }).stream(request, never)),
    ).rejects.toMatchObject({ code: 'server', message: 'No.' });
    await expect(
      all(createFakeLlm({ answers: [], firstTokenMs: 60_000 }).stream(request, AbortSignal.abort())),
    ).rejects.toMatchObject({ code: 'aborted' });
  });
});

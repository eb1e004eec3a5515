import { expect, it, onTestFinished } from 'vitest';
import { SimulatedClock } from 'xstate';
import { createSpeechModel } from './speech-model.ts';
import { openRealtimeServer } from './testing/realtime-server.ts';

it('tries again after longer and longer waits, and at once when an answer is wanted', async () => {
  const server = await openRealtimeServer({ answer: () => 'Here I am.' });
  onTestFinished(() => server.close());
  server.refuses = 503;
  const clock = new SimulatedClock();
  const lost: string[] = [];
  const model = createSpeechModel(
    { name: 'House voice', format: 'advanced_voice', urls: [{ url: server.url }], modelName: 'm', secret: 'the-key' },
    { timers: clock },
  );
  const session = model.speech!.open({ voice() {}, lost: ({ code }) => lost.push(code) });
  onTestFinished(() => session.close());
  await expect.poll(() => lost).toEqual(['server']);
  for (const wait of [250, 1_000, 2_000, 5_000, 15_000, 15_000]) {
    const before = lost.length;
    clock.increment(wait - 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(lost).toHaveLength(before);
    clock.increment(1);
    await expect.poll(() => lost).toHaveLength(before + 1);
  }
  server.refuses = null;
  const request = { messages: [], tools: [], sessionId: 's', correlationId: 'c', language: null };
  const events = [];
  for await (const event of session.llm.stream(request, new AbortController().signal)) events.push(event);
  expect(events.at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
});

it('gives up a server that takes the connection and says nothing', async () => {
  const server = await openRealtimeServer({ answer: () => '', greets: false });
  onTestFinished(() => server.close());
  const clock = new SimulatedClock();
  const lost: string[] = [];
  const model = createSpeechModel(
    { name: 'House voice', format: 'advanced_voice', urls: [{ url: server.url }], modelName: 'm', secret: 'the-key' },
    { timers: clock },
  );
  const session = model.speech!.open({ voice() {}, lost: ({ code }) => lost.push(code) });
  onTestFinished(() => session.close());
  await expect.poll(() => server.peers).toHaveLength(1);
  // In small steps, with time for the network between them: the handshake, which has its own limit, ends in time.
  await expect.poll(() => (clock.increment(100), lost), { interval: 1 }).toEqual(['timeout']);
});

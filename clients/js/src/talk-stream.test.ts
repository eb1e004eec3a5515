import { expect, it } from 'vitest';
import { TalkMessageStream, type TalkChunk } from './talk-stream.ts';

const UTTERANCE = '3b241101-e2bb-4255-8caf-4136c566a962';

function scene() {
  const sent: TalkChunk[] = [];
  let cut = (): void => undefined;
  let live = true;
  const stream = new TalkMessageStream('c', {
    send: (chunk) => sent.push(chunk),
    begun: (run) => (cut = run),
    isLive: () => live,
  });
  return { stream, sent, cut: () => cut(), end: () => (live = false) };
}

it('sends pieces, marked at the beginning and the end', async () => {
  const { stream, sent } = scene();
  await stream.streamMessageChunk('Let me ', false, UTTERANCE);
  await stream.streamMessageChunk('check.', false);
  await stream.endMessage();
  await stream.endMessage();
  expect(sent).toEqual([
    { content: 'Let me ', startOfSpeech: true, endOfSpeech: false, correlationId: 'c', utteranceId: UTTERANCE },
    { content: 'check.', startOfSpeech: false, endOfSpeech: false, correlationId: 'c' },
    { content: '', startOfSpeech: false, endOfSpeech: true, correlationId: 'c', utteranceId: UTTERANCE },
  ]);
  expect(stream.getState()).toBe('ended');
});

it('refuses text after an interruption', async () => {
  const { stream, cut, sent } = scene();
  await stream.streamMessageChunk('Once', false);
  cut();
  expect(stream.isActive()).toBe(false);
  expect(stream.getState()).toBe('interrupted');
  await expect(stream.streamMessageChunk('upon', false)).rejects.toMatchObject({ code: 'talk_stream_closed' });
  await stream.endMessage();
  expect(sent).toHaveLength(1);
});

it('refuses text after its end and after the end of its session', async () => {
  const ended = scene();
  await ended.stream.streamMessageChunk('Hi', true);
  await expect(ended.stream.streamMessageChunk('!', true)).rejects.toMatchObject({ code: 'talk_stream_closed' });
  const over = scene();
  over.end();
  await expect(over.stream.streamMessageChunk('Hi', true)).rejects.toMatchObject({ code: 'talk_stream_closed' });
});

it('refuses an utterance id that the service would replace', async () => {
  const { stream } = scene();
  await expect(stream.streamMessageChunk('Hi', false, 'one')).rejects.toMatchObject({ code: 'configuration' });
});

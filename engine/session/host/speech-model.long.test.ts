import { expect, it, onTestFinished } from 'vitest';
import type { SessionConfig } from '../../../actors/session-config.ts';
import { createSpeechModel } from '../../../models/speech-to-speech/speech-model.ts';
import {
  openRealtimeServer,
  type RealtimeServer,
  type RealtimeServerOptions,
} from '../../../models/speech-to-speech/testing/realtime-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { openLiveEngine, type LiveClient, type LiveEngine } from '../testing/live-engine.ts';

const COUNT =
  'One two three four five six seven eight nine ten eleven twelve. Thirteen fourteen fifteen sixteen seventeen.';

interface Call {
  readonly server: RealtimeServer;
  readonly live: LiveEngine;
  readonly client: LiveClient;
  /** What the persona has said so far, as the client was told. */
  told(): string;
}

async function call(options: Partial<RealtimeServerOptions> = {}, config: Partial<SessionConfig> = {}): Promise<Call> {
  const server = await openRealtimeServer({
    answer: ({ items }) => answerTo(items.at(-1)?.text ?? ''),
    pace: 4,
    ...options,
  });
  onTestFinished(() => server.close());
  const llm = createSpeechModel({
    name: 'House voice',
    format: 'advanced_voice',
    urls: [{ url: server.url }],
    modelName: 'gpt-realtime',
    secret: 'the-key',
  });
  const live = await openLiveEngine({ llm, config });
  onTestFinished(() => live.close());
  const client = await live.connect();
  const told = (): string =>
    client.messages
      .filter(({ messageType, data }) => messageType === 'speechText' && data['role'] === 'persona')
      .map(({ data }) => String(data['content']))
      .join('');
  return { server, live, client, told };
}

function answerTo(text: string): string {
  return /count/.test(text) ? COUNT : 'Fine.';
}

const spoken = (live: LiveEngine): string[] =>
  live.entries.flatMap((entry) =>
    entry.kind === 'message' && entry.message.role === 'persona' ? [entry.message.text] : [],
  );

it('a model that speaks itself is interrupted, and remembers what the transcript has', async () => {
  const { server, live, client, told } = await call();
  client.say('Please count.');
  await eventually(() => expect(told()).toContain('five'));
  client.send('interrupt', {});
  await eventually(() => expect(spoken(live)).toHaveLength(1));
  client.say('Thank you.');
  await eventually(() => expect(told()).toContain('Fine.'));
  const [peer] = server.peers;
  const remembered = peer!.remembers[1]!.replace('assistant: ', '');
  expect(COUNT).toContain(remembered);
  // Words of the session are placed by their length, those of the model are cut by the sound.
  expect(Math.abs(remembered.split(' ').length - spoken(live)[0]!.trim().split(' ').length)).toBeLessThanOrEqual(2);
  expect(peer!.remembers.slice(2)).toEqual(['user: Thank you.', 'assistant: Fine.']);
  expect(peer!.ofType('conversation.item.truncate')).toHaveLength(1);
});

it('is apologized for in another voice while its service is away, and the call goes on when it is back', async () => {
  const { server, client, told } = await call();
  client.say('Hello.');
  await eventually(() => expect(told()).toContain('Fine.'));
  server.refuses = 503;
  server.peers[0]!.cut();
  client.say('Are you there?');
  await eventually(() => expect(told().replace('Fine.', '').trim()).not.toBe(''));
  expect(client.signals).toContain('warning');
  server.refuses = null;
  // It does not wait for the next attempt: an answer is wanted.
  client.say('Please count.');
  await eventually(() => expect(told()).toContain('three'));
  expect(server.peers[1]!.remembers.slice(0, 2)).toEqual(['user: Hello.', 'assistant: Fine.']);
});

import { expect, it, onTestFinished } from 'vitest';
import { createFakeLlm } from '../../../models/fakes/index.ts';
import { eventually } from '../../testing/eventually.ts';
import { silencePacket } from '../../audio-out/encode/silence-packet.ts';
import { openLiveEngine } from '../testing/live-engine.ts';

/** The fake voice takes 250 ms for each word. */
const WORD_MS = 250;
const FRAME_MS = 20;
const STORY =
  'One two three. Four five six. Seven eight nine. Ten eleven twelve. Thirteen fourteen fifteen. Sixteen seventeen eighteen.';
/**
 * The words that are shown before an answer is missed (0.4 s of words, in groups of that length), and some for a busy
 * machine.
 */
const SHOWN_WORDS = 4;

/**
 * The path was cut after 0.8 s of sound, but the transcript held three sentences: everything that was sent until three
 * seconds of silence had passed, except for the last sentence.
 */
it('a transcript ends where the network died, and so do the captions of a client that comes back', async () => {
  const live = await openLiveEngine({
    llm: createFakeLlm({ answers: [[{ type: 'text', text: STORY }], [{ type: 'text', text: 'Here I am.' }]] }),
  });
  onTestFinished(() => live.close());
  let heardFrames = 0;
  const client = await live.connect({
    onAudio: ({ payload }) => void (heardFrames += payload.equals(silencePacket()) ? 0 : 1),
  });
  let sequence = 0;
  const microphone = setInterval(() => client.media.sendOpus(silencePacket(), sequence++), FRAME_MS);
  onTestFinished(() => clearInterval(microphone));
  const spoken = () =>
    live.entries.flatMap((entry) =>
      entry.kind === 'message' && entry.message.role === 'persona' ? [entry.message] : [],
    );
  const captions = (): string =>
    client.messages
      .filter(({ messageType, data }) => messageType === 'speechText' && data['role'] === 'persona')
      .map(({ data }) => data['content'])
      .join('');

  client.say('Tell me a story.');
  await eventually(() => expect(heardFrames * FRAME_MS).toBeGreaterThan(800));
  client.network.setFate(() => 'drop');
  const heardWords = Math.ceil((heardFrames * FRAME_MS) / WORD_MS);
  await eventually(() => expect(spoken()).toHaveLength(1));
  const [message] = spoken();
  expect(message).toMatchObject({ interrupted: true });
  expect(STORY.startsWith(message!.text)).toBe(true);
  expect(message!.text.split(' ').length).toBeLessThanOrEqual(heardWords + SHOWN_WORDS);

  client.network.setFate(() => 'pass');
  await eventually(() =>
    expect(client.messages.at(-1)).toMatchObject({ data: { end_of_speech: true, interrupted: true } }),
  );
  expect(captions()).toBe(message!.text);

  client.say('Are you there?');
  await eventually(() => expect(spoken().map(({ text }) => text)).toEqual([message!.text, 'Here I am.']));
  await eventually(() => expect(captions()).toBe(`${message!.text}Here I am.`));
});

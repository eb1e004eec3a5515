import { describe, expect, it, test } from 'vitest';
import { agreedWords } from './local-agreement.ts';
import { withoutNonSpeechCaptions } from './non-speech-captions.ts';
import { isLoop } from './repetition-loop.ts';
import { UtteranceReader } from './utterance-reader.ts';

describe('words on which two readings agree', () => {
  it.each([
    ['', 'What can', ''],
    ['What can', 'what can you help', 'what can'],
    ['Call them', 'Call then tomorrow', 'Call'],
    ['Hello, world', 'Hello world. How', 'Hello world.'],
  ])('"%s", then "%s": "%s"', (older, newer, agreed) => {
    expect(agreedWords(older, newer)).toBe(agreed);
  });
});

describe('text of sounds', () => {
  test.each(['[Music]', '(wind howling)', '[BLANK_AUDIO]', '♪ ♪', '*sighs*', '[', '...', 'Thank you for watching!'])(
    '"%s" is nothing that was said',
    (text) => expect(withoutNonSpeechCaptions(text)).toBe(''),
  );

  test('beside words it is left out', () => {
    expect(withoutNonSpeechCaptions('[coughs] I would like (door slams) a table.')).toBe('I would like a table.');
  });

  test.each(['Thank you.', 'Thank you for watching my dog.', '555-0134'])('"%s" was said', (text) => {
    expect(withoutNonSpeechCaptions(text)).toBe(text);
  });

  test('a reading that goes in circles is noticed, a dictated number is not', () => {
    expect(isLoop('He was not an old-s-y-y-y-y-y')).toBe(true);
    expect(isLoop('I am sorry. I am sorry. I am sorry. I am sorry. I am sorry.')).toBe(true);
    expect(isLoop('My number is 4 4 4 4 4 0.')).toBe(false);
    expect(isLoop('No, no, no!')).toBe(false);
    expect(isLoop('Thank you very much, thank you.')).toBe(false);
    expect(isLoop('Nooooooo, not that one!')).toBe(false);
  });
});

/**
 * "Ten of clubs" of a person, with the half second before it that a session passes on, is read by Whisper tiny like
 * this.
 */
test.each([
  '10 of clubs 10 of clubs',
  '10 of close 10 of close 10 of close',
  'Come here. Come here.',
  // In a conversation: the last round was not finished, and so it was not noticed.
  '10 of clubs 10 of clubs 10',
  'And so my fellow Americans. And so my fellow Americans. And so',
])('"%s" may be a loop, and is read again', (text) => expect(isLoop(text)).toBe(true));

/** A model that takes its time. The first sample of each second of sound says which word it is. */
function setUp(words: readonly string[]) {
  let now = 0;
  const told: string[] = [];
  const sure: (number | null)[] = [];
  const pending: { samples: Float32Array; done: (text: string) => void }[] = [];
  const reader = new UtteranceReader({
    read: (samples) => new Promise((done) => pending.push({ samples, done })),
    partial: (id, text, _, place) => void told.push(`${id}: ${text}${place === 'behind' ? ' …' : ''}`),
    final: (id, text, confidence) => {
      told.push(`${id}! ${text}`);
      sure.push(confidence);
    },
    now: () => now,
  });
  const second = () => new Int16Array(16_000);
  const speak = (id: number, seconds: number) => {
    for (let i = 0; i < seconds; i += 1) reader.write(id, second(), 'en');
  };
  /** A reading, the oldest one, is done after so long. @returns how many seconds of sound it had. */
  const read = async (ms = 100, text?: string, which = 0) => {
    const [next] = pending.splice(which, 1);
    if (next === undefined) throw new Error('Nothing is read.');
    now += ms;
    const seconds = next.samples.length / 16_000;
    next.done(text ?? words.slice(0, seconds).join(' '));
    for (let i = 0; i < 4; i += 1) await Promise.resolve();
    return seconds;
  };
  return { reader, speak, read, told, sure, pending };
}

describe('an utterance that is read as it grows', () => {
  it('shows the words on which two readings agree, and at its end all of them', async () => {
    const { reader, speak, read, told } = setUp(['what', 'can', 'you', 'do']);
    speak(1, 1);
    await read();
    speak(1, 1);
    await read();
    speak(1, 1);
    await read();
    expect(told).toEqual(['1: what …', '1: what can …']);
    speak(1, 1);
    await read();
    reader.write(1, new Int16Array(1_600), 'en');
    reader.setVoice(1, 'off');
    await read();
    reader.finish(1);
    expect(told.slice(2)).toEqual(['1: what can you …', '1: what can you do', '1! what can you do']);
  });

  it('has its final text at once where the reading of its end is done: silence that followed is not read', async () => {
    const { reader, speak, read, told, pending } = setUp(['hello']);
    speak(1, 1);
    reader.setVoice(1, 'off');
    await read();
    speak(1, 1);
    reader.finish(1);
    expect(told.at(-1)).toBe('1! hello');
    expect(pending).toEqual([]);
  });

  it('is as sure as two readings agree, and never more than likely', async () => {
    const { reader, speak, read, sure } = setUp([]);
    const texts = [
      ['He was not a', 'He was not an old young man'],
      ['He was gone', 'She was gone and'],
      [null, 'Yes.'],
    ];
    for (const [id, [middle, end]] of texts.entries()) {
      if (middle !== null) {
        speak(id, 1);
        await read(100, middle);
      } else reader.write(id, new Int16Array(8_000), 'en');
      reader.write(id, new Int16Array(1_600), 'en');
      reader.finish(id);
      await read(100, end ?? '');
    }
    expect(sure).toEqual([0.75, 0, null]);
  });

  it('throws the reading of its end away if the voice goes on', async () => {
    const { reader, speak, read, told } = setUp(['hello', 'again']);
    speak(1, 1);
    reader.setVoice(1, 'off');
    await read();
    reader.setVoice(1, 'on');
    reader.write(1, new Int16Array(8_000), 'en');
    reader.setVoice(1, 'off');
    reader.write(1, new Int16Array(8_000), 'en');
    await read(100, 'hello again');
    reader.finish(1);
    expect(told).toEqual(['1: hello', '1: hello again', '1! hello again']);
  });

  it('is read less often where reading takes long, or others speak', async () => {
    const { speak, read, pending } = setUp(['a', 'b', 'c', 'd', 'e', 'f']);
    speak(1, 1);
    await read(1_000);
    speak(1, 2);
    expect(pending).toHaveLength(0);
    speak(1, 1);
    expect(pending).toHaveLength(1);
  });

  it('is not read before its end where the utterance before took longer: its final text would wait for that', async () => {
    const { reader, speak, read, pending } = setUp(['a', 'b', 'c']);
    speak(1, 1);
    reader.finish(1);
    await read(4_000);
    speak(2, 3);
    expect(pending).toHaveLength(0);
    reader.finish(2);
    expect(pending).toHaveLength(1);
  });

  /**
   * A real conversation, 2026-11-27: the sign of silence came while a growing utterance was read, and the reading of
   * the last words, for which the user waits, began only when that one was done.
   */
  it('has its last words read beside a reading that nobody waits for', async () => {
    const { reader, speak, read, told, pending } = setUp(['what', 'can']);
    speak(1, 1);
    speak(1, 1);
    reader.setVoice(1, 'off');
    expect(pending).toHaveLength(2);
    await read(100, 'what can', 1);
    reader.finish(1);
    expect(told).toEqual(['1: what can', '1! what can']);
    await read(100, 'what');
    expect(told).toHaveLength(2);
    expect(pending).toEqual([]);
  });

  it('of somebody else is read then as well, and no third one', async () => {
    const { reader, speak, read, told, pending } = setUp(['one']);
    speak(1, 1);
    speak(2, 1);
    speak(3, 1);
    reader.finish(2);
    reader.finish(3);
    speak(1, 1);
    expect(pending).toHaveLength(2);
    await read(100, 'two', 1);
    await read(100, 'three', 1);
    expect(told).toEqual(['2! two', '3! three']);
  });

  /** The message of the silence came right after the last piece of sound, with which a reading had begun. */
  it('is not read again where a reading began with the first of the silence', async () => {
    const { reader, speak, read, told, pending } = setUp([]);
    reader.write(1, new Int16Array(12_000), 'en');
    reader.write(1, new Int16Array(1_000), 'en');
    reader.write(1, new Int16Array(400), 'en');
    reader.setVoice(1, 'off');
    expect(pending).toHaveLength(1);
    await read(100, 'all of it');
    reader.finish(1);
    expect(told).toEqual(['1: all of it', '1! all of it']);
    speak(2, 1);
    await read(100, 'done before the sign');
    reader.setVoice(2, 'off');
    expect(told.at(-1)).toBe('2: done before the sign');
    expect(pending).toEqual([]);
  });

  it('longer than 20 s is read in parts', async () => {
    const { reader, speak, read, told } = setUp(Array.from({ length: 20 }, (_, index) => `w${index}`));
    speak(1, 21);
    const lengths = [await read(), await read(100, 'long part'), 0];
    reader.finish(1);
    lengths[2] = await read(100, 'end');
    expect(lengths).toEqual([1, 20, 1]);
    expect(told.at(-1)).toBe('1! long part end');
  });

  it('that could not be read is empty, and the next one is read', async () => {
    const told: string[] = [];
    const reader = new UtteranceReader({
      read: () => Promise.reject(new Error('broken')),
      partial: () => {},
      final: (id, text) => void told.push(`${id}! ${text}`),
      now: () => 0,
    });
    for (const id of [1, 2]) {
      reader.write(id, new Int16Array(16_000), 'en');
      reader.finish(id);
    }
    await expect.poll(() => told).toEqual(['1! ', '2! ']);
    reader.finish(3);
    expect(told).toHaveLength(3);
  });
});

import { describe, expect, it } from 'vitest';
import { createFakeSynthesizer } from '../../../models/fakes/index.ts';
import type { SpeechSynthesizer } from '../../../models/ports.ts';
import { audioOf, openTestAudioOut } from '../testing/open-test-voice.ts';

/** A voice that takes its time, and notes what it was asked for. */
function slowVoice(more: Partial<SpeechSynthesizer> = {}) {
  const asked: string[] = [];
  const stopped: string[] = [];
  const fake = createFakeSynthesizer({ sampleRate: 48_000 });
  const voice: SpeechSynthesizer = {
    ...fake,
    family: 'local',
    synthesize(request, signal) {
      asked.push(request.text);
      signal.addEventListener('abort', () => stopped.push(request.text));
      return fake.synthesize(request, signal);
    },
    ...more,
  };
  return { asked, stopped, ...openTestAudioOut(voice) };
}

const say = (text: string) => ({ segmentId: text, text, language: 'en', pauseMs: 0 });

/** Joe takes 0.15 to 0.3 s to the first sound: they passed after it was decided that the user had finished. */
describe('speech that is prepared', () => {
  it('is not heard before it is said, and is synthesized once', async () => {
    const { output, timers, record, asked } = slowVoice();
    output.start();
    output.prepare({ text: 'One two.', language: 'en' });
    await timers.advance(1_000);
    expect(record.frames.every(({ pcm }) => pcm === null)).toBe(true);
    expect(record.events).toEqual([]);
    output.say(say('One two.'));
    await timers.advance(1_000);
    expect(asked).toEqual(['One two.']);
    expect(record.events.filter((event) => /started|finished/u.test(event))).toEqual([
      'started One two.',
      'finished One two.',
    ]);
    expect(Math.max(...audioOf(record.frames.filter(({ pcm }) => pcm !== null)))).toBeGreaterThan(1_000);
    output.close();
  });

  it('is dropped when something else is said, prepared or cut', async () => {
    const { output, timers, record, asked, stopped } = slowVoice({
      async *synthesize(request, signal) {
        asked.push(request.text);
        signal.addEventListener('abort', () => stopped.push(request.text));
        yield { pcm: new Int16Array(960).fill(5_000), sampleRate: 48_000 };
        if (request.text !== 'Other.') await new Promise(() => {});
      },
    });
    output.start();
    output.prepare({ text: 'First.', language: 'en' });
    output.prepare({ text: 'Second.', language: 'en' });
    output.say(say('Other.'));
    await timers.advance(1_000);
    output.prepare({ text: 'Third.', language: 'en' });
    output.cut();
    expect(asked).toEqual(['First.', 'Second.', 'Other.', 'Third.']);
    expect(stopped).toEqual(['First.', 'Second.', 'Third.']);
    expect(record.events).toContain('finished Other.');
    output.close();
  });

  it('of a service is not asked for: each text is paid for', () => {
    const { output, asked } = slowVoice({ family: 'elevenlabs' });
    output.start();
    output.prepare({ text: 'One two.', language: 'en' });
    expect(asked).toEqual([]);
    output.close();
  });
});

import { describe, expect, it } from 'vitest';
import { createFakeSynthesizer } from '../../../models/fakes/index.ts';
import { openTestAudioOut, audioOf } from '../testing/open-test-voice.ts';

const open = () => openTestAudioOut(createFakeSynthesizer({ sampleRate: 48_000 }), { passthrough: true });
/** `ms` of a loud constant at 48 kHz. */
const audio = (ms: number, level = 8_000) => new Int16Array(ms * 48).fill(level);
const heardMs = (frames: { pcm: Int16Array | null }[]) => frames.filter(({ pcm }) => pcm !== null).length * 20;

describe('client-made speech', () => {
  it('starts with 800 ms, not with less', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(audio(790), 48_000, 0);
    await timers.advance(1_000);
    expect(record.events).toEqual([]);
    output.passthrough(audio(10), 48_000, 1);
    expect(record.events).toEqual(['passthrough.started']);
    output.close();
  });

  it.each([8_000, 12_000, 16_000, 22_050, 24_000, 44_100, 48_000])(
    'starts with exactly 800 ms at %i Hz, and goes on with exactly 200 ms',
    async (rate) => {
      const { output, timers, record } = open();
      const at = (ms: number) => new Int16Array((rate * ms) / 1_000).fill(8_000);
      output.start();
      await timers.advance(15);
      for (let sequence = 0; sequence < 8; sequence += 1) output.passthrough(at(100), rate, sequence);
      expect(record.events).toEqual(['passthrough.started']);
      await timers.advance(1_200);
      const dry = heardMs(record.frames);
      output.passthrough(at(200), rate, 8);
      await timers.advance(100);
      expect(heardMs(record.frames)).toBeGreaterThan(dry);
      output.close();
    },
  );

  it('starts at the end signal when it is shorter, and fills the last frame with silence', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(audio(90), 48_000, 0);
    output.passthroughEnd();
    await timers.advance(1_000);
    expect(record.events).toEqual(['passthrough.started', 'passthrough.finished false']);
    const sent = audioOf(record.frames);
    expect(sent.filter((sample) => sample !== 0)).toHaveLength(90 * 48);
    expect(heardMs(record.frames)).toBe(100);
    output.close();
  });

  it('takes 16 and 24 kHz and keeps their length', async () => {
    for (const rate of [16_000, 24_000]) {
      const { output, timers, record } = open();
      output.start();
      await timers.advance(15);
      for (let sequence = 0; sequence < 10; sequence += 1)
        output.passthrough(new Int16Array(rate / 10).fill(8_000), rate, sequence);
      output.passthroughEnd();
      await timers.advance(2_000);
      expect(heardMs(record.frames)).toBe(1_000);
      output.close();
    }
  });

  it('goes on with 200 ms after it ran dry, and closes the mouth meanwhile', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(audio(800), 48_000, 0);
    await timers.advance(1_200);
    expect(heardMs(record.frames)).toBe(800);
    expect(record.events.at(-1)).toMatch(/^mouthStopped 8[02]0$/u);
    output.passthrough(audio(180), 48_000, 1);
    await timers.advance(100);
    expect(heardMs(record.frames)).toBe(800);
    output.passthrough(audio(20), 48_000, 2);
    await timers.advance(300);
    expect(heardMs(record.frames)).toBe(1_000);
    output.close();
  });

  it('is given up after two dry seconds without an end; what comes later is speech again', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(audio(800), 48_000, 0);
    await timers.advance(3_000);
    expect(record.events.at(-1)).toBe('passthrough.finished false');
    output.passthrough(audio(800), 48_000, 1);
    await timers.advance(100);
    expect(record.events.at(-1)).toBe('passthrough.started');
    output.close();
  });

  // It stood at the head of the queue for ever, and all later speech waited behind it.
  it('is heard after two seconds without an end when it is too short to begin, and what is said next follows', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(audio(300), 48_000, 0);
    await timers.advance(1_500);
    output.passthrough(audio(300), 48_000, 1);
    output.say({ segmentId: 'next', text: 'One.', language: 'en', pauseMs: 0 });
    await timers.advance(1_900);
    const heard = () => record.events.filter((event) => /passthrough|started/.test(event));
    expect(heard()).toEqual([]);
    await timers.advance(1_000);
    expect(heard()).toEqual(['passthrough.started', 'passthrough.finished false', 'started next']);
    output.close();
  });

  it('drops repeated chunks', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(audio(400), 48_000, 0);
    output.passthrough(audio(400), 48_000, 0);
    output.passthrough(audio(100), 48_000, 1);
    output.passthroughEnd();
    await timers.advance(2_000);
    expect(heardMs(record.frames)).toBe(500);
    output.close();
  });

  it('begins a new sequence at 0 without an end signal, after the one before', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(audio(60), 48_000, 0);
    output.passthrough(audio(60), 48_000, 1);
    output.passthrough(audio(40), 48_000, 0);
    output.passthroughEnd();
    await timers.advance(2_000);
    expect(record.events).toEqual([
      'passthrough.started',
      'passthrough.finished false',
      'passthrough.started',
      'passthrough.finished false',
    ]);
    expect(heardMs(record.frames)).toBe(160);
    output.close();
  });

  it('is purged by a cut, queued sequences too', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(audio(1_000), 48_000, 0);
    await timers.advance(100);
    output.cut();
    expect(record.events.filter((event) => !event.startsWith('mouth'))).toEqual([
      'passthrough.started',
      'passthrough.finished true',
      'cut null 0',
    ]);
    output.passthroughEnd();
    await timers.advance(1_000);
    expect(heardMs(record.frames)).toBeLessThanOrEqual(160);
    output.close();
  });

  it('does not speak the rest of a cut sequence that was on its way, but the next one', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(audio(1_000), 48_000, 0);
    await timers.advance(100);
    output.cut();
    output.passthrough(audio(1_000), 48_000, 1);
    await timers.advance(500);
    expect(record.events.at(-1)).toBe('cut null 0');
    output.passthroughEnd();
    output.passthrough(audio(1_000), 48_000, 0);
    expect(record.events.at(-1)).toBe('passthrough.started');
    output.close();
  });

  it('is heard again when a client goes on counting after a cut', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(audio(1_000), 48_000, 0);
    await timers.advance(100);
    output.cut();
    await timers.advance(1_500);
    output.passthrough(audio(1_000), 48_000, 1);
    expect(record.events.at(-1)).toBe('passthrough.started');
    output.close();
  });

  it('moves the mouth', async () => {
    const { output, timers, record } = open();
    output.start();
    await timers.advance(15);
    output.passthrough(
      Int16Array.from({ length: 48_000 }, (_, k) => 9_000 * Math.sin((2 * Math.PI * 750 * k) / 48_000)),
      48_000,
      0,
    );
    output.passthroughEnd();
    await timers.advance(1_200);
    const shapes = record.mouths.flatMap((track) => track.shapes);
    expect(shapes.some(({ shape, weight }) => ['aa', 'oh'].includes(shape) && weight > 0.8)).toBe(true);
    output.close();
  });

  it('is refused where the session does not take it, at impossible rates, and beyond two minutes of waiting sound', async () => {
    const closed = openTestAudioOut(createFakeSynthesizer());
    closed.output.start();
    expect(closed.output.passthrough(audio(20), 48_000, 0)).toBe('disabled');
    closed.output.close();
    const { output, timers } = open();
    expect(output.passthrough(audio(20), 48_000, 0)).toBe('disabled');
    output.start();
    await timers.advance(15);
    for (const rate of [0, 4_000, 7_999, 8_000.5, 48_001, 96_000, Number.NaN])
      expect(output.passthrough(audio(20), rate, 0), `${rate}`).toBe('format');
    expect(output.passthrough(audio(119_000), 48_000, 0)).toBe('taken');
    expect(output.passthrough(audio(2_000), 48_000, 1)).toBe('full');
    output.close();
  });
});

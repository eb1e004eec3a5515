import { expect, it } from 'vitest';
import { createFakeSynthesizer } from '../fakes/fake-synthesizer.ts';
import { ProviderError, type MeteredUse, type SpeechSynthesizer } from '../ports.ts';
import { withTextNormalization } from './text-normalization/with-text-normalization.ts';
import { withMeter } from './with-meter.ts';

/** @param until left when so many pieces have come. @returns how many characters were told. */
async function say(voice: SpeechSynthesizer, text: string, until = Infinity): Promise<number[]> {
  const told: MeteredUse[] = [];
  const left = new AbortController();
  if (until === 0) left.abort();
  let pieces = 0;
  const request = { text, voice: 'v', language: 'en', tuning: {}, metered: (use: MeteredUse) => told.push(use) };
  try {
    for await (const _chunk of voice.synthesize(request, left.signal)) if (++pieces >= until) left.abort();
  } catch {
    // It was left, or it failed.
  }
  return told.map(({ amounts }) => amounts.characters ?? 0);
}

const voice = () => withMeter(createFakeSynthesizer({ wordMs: 200, gapMs: 50 }));

it('tells a sentence once, by its characters', async () => {
  expect(await say(voice(), 'Good morning.')).toEqual([13]);
  expect(await say(voice(), 'Zsófia 👋')).toEqual([8]);
});

it('tells what the voice was given, not what was written', async () => {
  expect(await say(withTextNormalization(voice()), '$12.50')).toEqual(['twelve dollars and fifty cents'.length]);
});

it('tells a sentence that nobody waits for any more', async () => {
  expect(await say(voice(), 'Good morning.', 1)).toEqual([13]);
  expect(await say(voice(), 'Good morning.', 0)).toEqual([13]);
});

it('tells nothing of a sentence of which the voice said nothing', async () => {
  const refusing: SpeechSynthesizer = {
    ...createFakeSynthesizer({}),
    // oxlint-disable-next-line require-yield
    async *synthesize() {
      throw new ProviderError('v', 'auth', 'no');
    },
  };
  expect(await say(withMeter(refusing), 'Good morning.')).toEqual([]);
});

import { expect, it } from 'vitest';
import { createFakeSynthesizer } from '../../../models/fakes/index.ts';
import { runSynthesis } from './synthesis-run.ts';
import { SimulatedTimers } from '../testing/simulated-timers.ts';

it('a voice that has all of a sentence at once lets others have their turn between its pieces', async () => {
  // 20 s of sound in one piece delayed the audio and video of every session by 0.3 s.
  const order: string[] = [];
  setImmediate(function next() {
    order.push('turn');
    if (!order.includes('ended')) setImmediate(next);
  });
  await new Promise<void>((resolve, reject) => {
    runSynthesis(
      createFakeSynthesizer(),
      { text: 'one two three', voice: 'tone', language: 'en', tuning: {} },
      new SimulatedTimers(),
      {
        chunk: () => order.push('chunk'),
        ended: () => {
          order.push('ended');
          resolve();
        },
        failed: (message) => reject(new Error(message)),
      },
    );
  });
  expect(order.filter((what) => what === 'chunk').length).toBeGreaterThan(5);
  expect(order.join(' ')).not.toContain('chunk chunk');
});

import { expect, it } from 'vitest';
import { loadRnnoise } from '../../../models/noise/rnnoise.ts';
import { concat, silence, tripled, whiteNoise } from '../../../models/testing/sounds.ts';
import { recordings } from '../../../models/testing/speech/recordings.ts';
import { createSileroVad } from '../../../models/vad/silero.ts';
import { UserAudio, type AudioWindow } from '../receive/user-audio.ts';
import { opusPackets } from '../testing/opus-packets.ts';
import { VadLanes, runVad } from './vad-batch.ts';
import { VadQueue } from './vad-queue.ts';
import { STAY_PROBABILITY } from '../../../actors/vad/vad-thresholds.ts';

const model = createSileroVad();

function windowsOf(pcm: Int16Array): AudioWindow[] {
  const windows: AudioWindow[] = [];
  const audio = new UserAudio(loadRnnoise().createFilter(), 0.8, { audio: null, filterBroken: expect.fail });
  for (const [sequence, payload] of opusPackets(tripled(pcm)).entries()) {
    audio.packet({ payload, sequence, timestamp: 960 * sequence, arrivedAt: 20 * sequence });
    windows.push(...audio.takeWindows());
  }
  audio.close();
  return windows;
}

/** @returns probabilities; null where the model was not asked. */
function rested(windows: readonly AudioWindow[]): (number | null)[] {
  const queue = new VadQueue();
  const lanes = new VadLanes();
  const probabilities: (number | null)[] = [];
  queue.push(windows);
  for (;;) {
    const due = queue.next(() => probabilities.push(null));
    if (due === null) return probabilities;
    const [probability = 0] = runVad(model, [{ lanes, window: due.window }]);
    queue.judged(due, probability);
    if (due.result === 'wanted') probabilities.push(probability);
  }
}

for (const [room, noise, tags] of [
  ['a silent room', 0, ['nightly']],
  ['a quiet room', 0.0008, []],
  ['a loud fan', 0.01, ['nightly']],
] as const)
  it(
    `the model is asked about every window of six people’s speech in ${room}, and rests between them`,
    { tags: [...tags] },
    () => {
      const people = concat(...recordings().flatMap(({ pcm }) => [silence(64_000), pcm]));
      const hiss = whiteNoise(people.length, noise);
      const windows = windowsOf(people.map((sample, i) => sample + hiss[i]!));
      const lanes = new VadLanes();
      const always = windows.map((window) => runVad(model, [{ lanes, window }])[0]!);
      const seldom = rested(windows);
      expect(always.filter((probability, i) => probability >= STAY_PROBABILITY && seldom[i] === null)).toEqual([]);
      expect(seldom.filter((probability) => probability === null).length).toBeGreaterThan(500);
      const speech = (probabilities: readonly (number | null)[]): number =>
        probabilities.filter((probability) => probability !== null && probability >= STAY_PROBABILITY).length;
      expect(speech(seldom)).toBeGreaterThan(0.98 * speech(always));
    },
  );

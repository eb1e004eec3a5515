import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FLITE_VOICES } from '../flite-voices.ts';
import { loadFlite } from '../flite-library.ts';

/**
 * A process that speaks with every voice after everything was collected that nobody holds. Prints the samples of each.
 */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const library = loadFlite();
for (let round = 0; round < 3; round++) {
  collect();
  await nextTurn();
}
for (const voice of FLITE_VOICES) {
  let samples = 0;
  library.speak(
    { jobId: 1, text: 'Good morning.', voice, language: 'en', speed: 1, volume: 1 },
    ({ pcm }) => (samples += pcm.length),
  );
  console.log(voice, samples);
}

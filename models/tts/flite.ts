import { processCores } from '../../runtime/process-share.ts';
import type { SpeechSynthesizer } from '../ports.ts';
import { SynthesisPool } from './synthesis-pool.ts';
import { paceAndLoudness } from './local-tuning.ts';

/** One process is enough for a dozen sessions, and takes about 45 MB. */
const MAX_PROCESSES = 8;

/**
 * English speech without an account: flite, in processes of its own. It reports words and phonemes. A sentence costs
 * about 1 % of its length on one core. @param first when the first process starts. @defaultValue at once
 * @param processes how many sentences can be spoken at the same time. @defaultValue one for each core of this process,
 * at most 8
 */
export function createFlite({
  processes = Math.min(MAX_PROCESSES, processCores()),
  first = 'ahead',
}: { processes?: number; first?: 'ahead' | 'on demand' } = {}): SpeechSynthesizer {
  const pool = new SynthesisPool('flite', new URL('./flite-process.ts', import.meta.url), processes, first);
  return {
    name: 'flite',
    family: 'local',
    synthesize: ({ text, voice, language, tuning }, signal) =>
      pool.speak({ text, voice, language, ...paceAndLoudness(tuning) }, signal),
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}

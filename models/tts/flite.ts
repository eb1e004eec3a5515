import { ownCores } from '../../runtime/process-share.ts';
import type { SpeechSynthesizer } from '../ports.ts';
import { SynthesisPool } from './synthesis-pool.ts';
import { paceAndLoudness } from './local-tuning.ts';

/** One process is enough for a dozen sessions, and takes about 60 MB. */
const MOST_PROCESSES = 8;

/**
 * English speech without an account: flite, in processes of its own, started at once. It reports words and phonemes. A
 * sentence costs about 1 % of its length on one core.
 * @param processes how many sentences can be spoken at the same time. @defaultValue one for each core of this process, at most 8
 */
export function createFlite(options: { processes?: number } = {}): SpeechSynthesizer {
  const processes = options.processes ?? Math.min(MOST_PROCESSES, ownCores());
  const pool = new SynthesisPool('flite', new URL('./flite-process.ts', import.meta.url), processes);
  return {
    name: 'flite',
    family: 'local',
    synthesize: ({ text, voice, language, tuning }, signal) =>
      pool.speak({ text, voice, language, ...paceAndLoudness(tuning) }, signal),
    close: () => pool.close(),
  };
}

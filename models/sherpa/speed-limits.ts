import type { ModelPackage } from '../packages/model-package.ts';

/**
 * The most time that a model may take for a second of sound, on one speaker and a machine without other work (real-time
 * factor). What is slower is not chosen by itself.
 *
 * - Recognition while somebody speaks runs beside the voice, the face and other speakers: half of the time is left to
 *   them.
 * - A recognizer of whole utterances has the same limit: an utterance of 3 s may cost 1.5 s where nothing else understands
 *   the language.
 * - The final pass is waited for: an utterance of 3 s may cost 0.6 s.
 * - A voice makes pieces of about 1.5 s. The first one is heard after 0.9 s, and each is ready before the one before
 *   ends, also when the machine has other work.
 */
export const SLOWEST: Readonly<Record<'recognizer' | 'final-pass' | 'voice', number>> = {
  recognizer: 0.5,
  'final-pass': 0.2,
  voice: 0.6,
};

/** Kinds of which the speed matters here. */
export type TimedKind = keyof typeof SLOWEST;

export function isTimed(kind: ModelPackage['kind']): kind is TimedKind {
  return kind in SLOWEST;
}

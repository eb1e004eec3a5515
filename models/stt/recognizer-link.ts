import type { SpeechRecognizer } from '../ports.ts';

/** One recognizer of a fallback chain. */
export interface RecognizerLink {
  /** Id of the provider. */
  readonly provider: string;
  readonly recognizer: SpeechRecognizer;
}

/** The order in which recognizers are tried for an utterance, the best one first. */
export type Choose = (language: string | null) => readonly RecognizerLink[];

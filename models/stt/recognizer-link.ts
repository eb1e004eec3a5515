import type { SpeechRecognizer } from '../ports.ts';

/** One of several recognizers that stand in for each other. */
export interface RecognizerLink {
  /** Id of the provider. */
  readonly provider: string;
  readonly recognizer: SpeechRecognizer;
}

/** Which recognizers may have an utterance, the best one first. */
export type Choose = (language: string | null) => readonly RecognizerLink[];

import type { Recognition } from './recognition.ts';

/** What a recognizer outside of the worker is to do, in order. */
export type RelayedCall =
  | { readonly do: 'write'; readonly pcm: Int16Array }
  | { readonly do: 'setVoice'; readonly voice: 'on' | 'off' }
  | { readonly do: 'finish' | 'reset' };

/**
 * Recognition of a session whose words come from elsewhere: a speech-to-speech model hears on the connection on which it
 * speaks, and that is in the main thread.
 */
export class RelayedRecognition implements Recognition {
  readonly #tell: (call: RelayedCall) => void;

  constructor(tell: (call: RelayedCall) => void) {
    this.#tell = tell;
  }

  write(pcm: Int16Array): void {
    this.#tell({ do: 'write', pcm });
  }

  setVoice(voice: 'on' | 'off'): void {
    this.#tell({ do: 'setVoice', voice });
  }

  finish(): void {
    this.#tell({ do: 'finish' });
  }

  reset(): void {
    this.#tell({ do: 'reset' });
  }

  /** Whoever hears is told without the worker. */
  setLanguage(): void {}

  close(): void {}
}

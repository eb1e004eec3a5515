import type { SpeechRecognizer } from '../../../models/ports.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import type { AudioInHandlers } from '../../ports.ts';
import { RecognitionSession } from './recognition-session.ts';
import type { RelayedCall } from './relayed-recognition.ts';

/** The main thread's side of `RelayedRecognition`: one final for each finish, also if the worker dies between. */
export class MainThreadRecognition {
  readonly #recognition: RecognitionSession;
  /** Finishes that were asked of the worker, and that have not come from there. */
  #underway = 0;

  constructor(
    recognizer: SpeechRecognizer,
    options: { readonly language: string | null; readonly keyTerms: readonly string[] },
    report: AudioInHandlers['report'],
  ) {
    this.#recognition = new RecognitionSession(recognizer, options, report, systemTimers);
  }

  finishAsked(): void {
    this.#underway += 1;
  }

  take(call: RelayedCall): void {
    switch (call.do) {
      case 'write':
        return this.#recognition.write(call.pcm);
      case 'setVoice':
        return this.#recognition.setVoice(call.voice);
      case 'reset':
        return this.#recognition.reset();
      case 'finish':
        this.#underway -= 1;
        return this.#recognition.finish();
    }
  }

  setLanguage(language: string | null): void {
    this.#recognition.setLanguage(language);
  }

  /** The worker died. */
  interrupted(): void {
    while (this.#underway > 0) this.take({ do: 'finish' });
  }

  close(): void {
    this.#recognition.close();
  }
}

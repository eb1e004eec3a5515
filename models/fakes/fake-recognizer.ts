import type { RecognizerModule } from '../stt/registry.ts';
import type { RecognitionOptions, RecognitionStream, SpeechRecognizer } from '../ports.ts';

export interface FakeRecognizerOptions {
  /** The texts of the utterances, in order, over all streams. After the last one, the text is empty. */
  readonly utterances: readonly string[];
  /** From `finish` to the final text. @defaultValue 0 */
  readonly finalMs?: number;
  /** Audio for each further word, ms. @defaultValue 300 */
  readonly wordMs?: number;
  readonly language?: string;
}

/** A recognizer with given texts: partial texts by the length of the audio, finals after a delay. */
export function createFakeRecognizer(options: FakeRecognizerOptions): SpeechRecognizer {
  const { utterances, finalMs = 0, wordMs = 300, language = 'en' } = options;
  let next = 0;
  return {
    name: 'fake',
    languages: 'any',
    open({ handlers }: RecognitionOptions): RecognitionStream {
      let words: string[] | null = null;
      let samples = 0;
      let told = 0;
      const timers = new Set<NodeJS.Timeout>();
      const begin = () => (words ??= (utterances[next++] ?? '').split(/\s+/u).filter(Boolean));
      const forget = () => {
        words = null;
        samples = 0;
        told = 0;
      };
      return {
        write(pcm) {
          const known = begin();
          samples += pcm.length;
          const heard = Math.min(known.length, Math.floor(samples / 16 / wordMs));
          if (heard <= told) return;
          told = heard;
          handlers.partial(known.slice(0, heard).join(' '));
        },
        finish() {
          const text = begin().join(' ');
          forget();
          const timer = setTimeout(() => {
            timers.delete(timer);
            handlers.final(text, language);
          }, finalMs);
          timers.add(timer);
        },
        reset: forget,
        setLanguage: () => {},
        close() {
          for (const timer of timers) clearTimeout(timer);
          timers.clear();
        },
      };
    },
    close: async () => {},
  };
}

/** The recognizer choice for the audio-in worker. */
export function fakeRecognizer(options: FakeRecognizerOptions): RecognizerModule {
  return { provider: 'module', url: import.meta.url, options };
}

export { createFakeRecognizer as openRecognizer };

import type { RecognizerModule } from '../stt/registry.ts';
import { BroadcastChannel } from 'node:worker_threads';
import type { RecognitionOptions, RecognitionStream, SpeechRecognizer } from '../ports.ts';

/** A prompt: what a voice says from now on, and for how long. */
export interface Prompt {
  readonly text: string;
  readonly voicedMs: number;
}

export interface PromptedRecognizerOptions {
  /** Name of the `BroadcastChannel` over which prompts come, from any thread of the process. */
  readonly channel: string;
  /** From the beginning of a word to its place in the partial text. */
  readonly wordMs: number;
  /** From `finish` to the final text. */
  readonly finalMs: number;
}

/**
 * A recognizer that is told what is being said, with the delays of a real one: a word is known some time after it was
 * spoken, and a final has the words that had begun by then and were in no earlier final. The division into utterances
 * does not matter. For one user. @param now ms.
 */
export function createPromptedRecognizer(
  { channel, wordMs, finalMs }: PromptedRecognizerOptions,
  now = () => performance.now(),
): SpeechRecognizer {
  let words: readonly string[] = [];
  let msPerWord = 0;
  let startedAt = 0;
  let given = 0;
  const prompts = new BroadcastChannel(channel);
  prompts.addEventListener('message', (message) => {
    const { text, voicedMs } = (message as MessageEvent).data as Prompt;
    words = text.split(/\s+/u).filter(Boolean);
    msPerWord = voicedMs / words.length;
    startedAt = now();
    given = 0;
  });
  prompts.unref();
  /** @returns the words that began so long ago. */
  const begunBefore = (ms: number): number =>
    Math.min(words.length, Math.floor((now() - startedAt - ms) / msPerWord) + 1);
  return {
    name: 'prompted',
    languages: 'any',
    open({ handlers }: RecognitionOptions): RecognitionStream {
      let told = 0;
      const timers = new Set<NodeJS.Timeout>();
      return {
        write() {
          const heard = begunBefore(wordMs);
          if (heard <= given || heard === told) return;
          told = heard;
          handlers.partial(words.slice(given, heard).join(' '));
        },
        finish() {
          const until = Math.max(given, begunBefore(0));
          const text = words.slice(given, until).join(' ');
          given = until;
          told = 0;
          const timer = setTimeout(() => {
            timers.delete(timer);
            handlers.final(text, 'en');
          }, finalMs);
          timers.add(timer);
        },
        reset() {
          given = Math.max(given, begunBefore(0));
          told = 0;
        },
        setLanguage: () => {},
        close() {
          for (const timer of timers) clearTimeout(timer);
          timers.clear();
        },
      };
    },
    close: async () => prompts.close(),
  };
}

/** The recognizer choice for the audio-in worker. */
export function promptedRecognizer(options: PromptedRecognizerOptions): RecognizerModule {
  return { provider: 'module', url: import.meta.url, options };
}

export { createPromptedRecognizer as openRecognizer };

import type { RecognitionOptions, RecognitionStream, SpeechRecognizer } from '../ports.ts';

/** A recognizer whose stream died is asked last for so long. */
const REST_MS = 30_000;

interface Link {
  readonly recognizer: SpeechRecognizer;
  /** On the clock of `now`. */
  restsUntil: number;
}

/**
 * Several recognizers as one. Each stream uses the first recognizer that understands its language; one that failed lately
 * comes after those that did not. A stream that dies says so, and the caller's next one goes to another recognizer.
 * @param recognizers the preferred one first; at least one. @param now monotonic ms.
 */
export function createRecognizerChain(
  recognizers: readonly SpeechRecognizer[],
  now: () => number = () => performance.now(),
): SpeechRecognizer {
  const [only] = recognizers;
  if (recognizers.length === 1 && only !== undefined) return only;
  const links = recognizers.map((recognizer): Link => ({ recognizer, restsUntil: -Infinity }));

  /** Sorting is stable: what is equally good stays in the operator's order. */
  const inOrder = (language: string | null): Link[] =>
    links.toSorted(
      (a, b) =>
        Number(understands(b.recognizer, language)) - Number(understands(a.recognizer, language)) ||
        Number(a.restsUntil > now()) - Number(b.restsUntil > now()),
    );

  function open(options: RecognitionOptions): { readonly link: Link; readonly stream: RecognitionStream } {
    let problem: unknown = new Error('There is no recognizer.');
    for (const link of inOrder(options.language)) {
      try {
        const stream = link.recognizer.open({
          ...options,
          handlers: {
            ...options.handlers,
            failed(error) {
              link.restsUntil = now() + REST_MS;
              options.handlers.failed(error);
            },
          },
        });
        return { link, stream };
      } catch (error) {
        link.restsUntil = now() + REST_MS;
        problem = error;
      }
    }
    throw problem;
  }

  return {
    name: recognizers.map(({ name }) => name).join(', '),
    languages: recognizers.some(({ languages }) => languages === 'any')
      ? 'any'
      : [...new Set(recognizers.flatMap(({ languages }) => languages))],
    open: (options) => new ChainStream(options, open, (language) => inOrder(language)[0]),
    close: async () => {
      await Promise.all(recognizers.map((recognizer) => recognizer.close()));
    },
  };
}

function understands({ languages }: SpeechRecognizer, language: string | null): boolean {
  return languages === 'any' || (language !== null && languages.includes(language));
}

/** One speaker's stream. After a change of language, the next utterance may go to another recognizer. */
class ChainStream implements RecognitionStream {
  readonly #options: RecognitionOptions;
  readonly #open: (options: RecognitionOptions) => { readonly link: Link; readonly stream: RecognitionStream };
  readonly #best: (language: string | null) => Link | undefined;
  #language: string | null;
  #current: { readonly link: Link; readonly stream: RecognitionStream };
  /** Where the present utterance stands. */
  #utterance: 'none' | 'begun' = 'none';
  #awaitedFinals = 0;

  constructor(
    options: RecognitionOptions,
    open: (options: RecognitionOptions) => { readonly link: Link; readonly stream: RecognitionStream },
    best: (language: string | null) => Link | undefined,
  ) {
    this.#open = open;
    this.#best = best;
    this.#language = options.language;
    this.#options = {
      ...options,
      handlers: {
        ...options.handlers,
        final: (text, language) => {
          this.#awaitedFinals--;
          options.handlers.final(text, language);
        },
      },
    };
    this.#current = open(this.#options);
  }

  write(pcm: Int16Array): void {
    if (this.#utterance === 'none') this.#begin();
    this.#current.stream.write(pcm);
  }

  finish(): void {
    this.#utterance = 'none';
    this.#awaitedFinals++;
    this.#current.stream.finish();
  }

  reset(): void {
    this.#utterance = 'none';
    this.#current.stream.reset();
  }

  setLanguage(language: string | null): void {
    this.#language = language;
    this.#current.stream.setLanguage(language);
  }

  close(): void {
    this.#current.stream.close();
  }

  /** A stream that still owes a final is kept: finals come in the order of the finishes. */
  #begin(): void {
    this.#utterance = 'begun';
    const { link, stream } = this.#current;
    if (this.#awaitedFinals > 0 || understands(link.recognizer, this.#language)) return;
    const best = this.#best(this.#language);
    if (best === undefined || best === link || !understands(best.recognizer, this.#language)) return;
    this.#current = this.#open({ ...this.#options, language: this.#language });
    stream.close();
  }
}

import { systemTimers, type Timers } from '../../runtime/clock.ts';
import {
  ProviderError,
  type ProviderErrorCode,
  type RecognitionOptions,
  type RecognitionStream,
  type SpeechRecognizer,
} from '../ports.ts';
import { CircuitBreaker } from '../circuit-breaker.ts';
import { FallbackStream } from './fallback-stream.ts';
import type { Choose, RecognizerLink } from './recognizer-link.ts';

export interface RecognizerFallbackOptions {
  /** Shared by the streams. @defaultValue one of their own */
  readonly circuits?: CircuitBreaker;
  /** @defaultValue the system's */
  readonly timers?: Timers;
  /** Gets the times to the first words and to the final of each utterance: see `TimedResult`. */
  measured?(result: 'partial' | 'final', provider: string, ms: number): void;
  /** Called for each recognizer that had to be replaced. */
  failed?(provider: string, code: ProviderErrorCode): void;
}

/**
 * Several recognizers as one. An utterance goes to the first one that knows its language and has not failed lately. If
 * that one fails before the final, the next one gets the audio from its beginning. There is one final for each
 * utterance.
 * @param links at least one, the preferred one first.
 */
export function createRecognizerFallback(
  links: readonly RecognizerLink[],
  options: RecognizerFallbackOptions = {},
): SpeechRecognizer {
  const { circuits = new CircuitBreaker(), timers = systemTimers } = options;
  return {
    name: links.map(({ provider }) => provider).join(', '),
    languages: links.some(({ recognizer }) => recognizer.languages === 'any')
      ? 'any'
      : [...new Set(links.flatMap(({ recognizer }) => recognizer.languages))],
    open(wanted: RecognitionOptions): RecognitionStream {
      if (links.length === 0) throw new ProviderError('recognizers', 'unavailable', 'There is no recognizer.');
      const own = links.toSorted(
        (a, b) => Number(b.provider === wanted.preferred) - Number(a.provider === wanted.preferred),
      );
      const choose: Choose = (language) => inOrder(own, language, circuits);
      return new FallbackStream(wanted, choose, {
        place: (link) => own.indexOf(link),
        circuits,
        timers,
        measured: (result, provider, ms) => options.measured?.(result, provider, ms),
        failed: (provider, code) => options.failed?.(provider, code),
      });
    },
    ready: async () => links[0]?.recognizer.ready?.(),
    close: async () => {
      await Promise.all(links.map(({ recognizer }) => recognizer.close()));
    },
  };
}

/**
 * Recognizers that do not know the language are left out if any other knows it. In an unknown language, those that know
 * only some languages come last. Otherwise the operator's order counts.
 */
function inOrder(
  links: readonly RecognizerLink[],
  language: string | null,
  circuits: CircuitBreaker,
): readonly RecognizerLink[] {
  const able = links.filter(({ recognizer }) => language === null || understands(recognizer, language));
  const badness = ({ provider, recognizer }: RecognizerLink): number =>
    (circuits.mayBeAsked(provider) ? 0 : 2) + (understands(recognizer, language) ? 0 : 1);
  return (able.length > 0 ? able : links).toSorted((a, b) => badness(a) - badness(b));
}

function understands({ languages }: SpeechRecognizer, language: string | null): boolean {
  return languages === 'any' || (language !== null && languages.includes(language));
}

import { systemTimers, type Timers } from '../../runtime/clock.ts';
import { withTimeouts } from '../stream-timeouts.ts';
import type { LatencyTable } from '../latency-table.ts';
import {
  failureCode,
  type MeteredUse,
  ProviderError,
  type SpeechSynthesizer,
  type SynthesisChunk,
  type SynthesisRequest,
} from '../ports.ts';
import type { CircuitBreaker } from '../circuit-breaker.ts';
import { similarVoice, type VoiceTraits } from './similar-voice.ts';
import { charactersOf, SentenceProgress } from './sentence-progress.ts';
import { speechError } from './speech-http.ts';
import type { StockVoice } from './voices.ts';

/**
 * A voice that sends nothing for this long is replaced, before its first audio or in the middle, if there is another
 * one. The engine gives up after 10 s (`SYNTHESIS_SILENCE_LIMIT_MS`), so two voices may hang before that.
 */
const SILENCE_LIMIT_MS = 4_000;

export interface VoiceLink {
  /** Id of the provider. */
  readonly provider: string;
  readonly synthesizer: SpeechSynthesizer;
  /** Its voices, the preferred ones first. The first link need not list all: it gets any name. */
  readonly voices: readonly VoiceTraits[];
}

export interface FallbackTools {
  readonly circuits: CircuitBreaker;
  readonly latencies: LatencyTable;
  /** @defaultValue the system's */
  readonly timers?: Timers;
}

/**
 * Several synthesizers as one. The next one says a sentence of which nothing was heard. It continues a sentence that
 * broke off, from the first word that was not heard. If a voice refuses a request as wrong, the next one gets it, too,
 * but the provider does not count as failed.
 * @param links at least one, the preferred one first.
 */
export function createVoiceFallback(links: readonly VoiceLink[], tools: FallbackTools): SpeechSynthesizer {
  const [first] = links;
  if (first === undefined) throw new Error('There is no synthesizer.');
  const pace = new Map<VoiceLink, number>();
  return {
    name: links.map(({ provider }) => provider).join(', '),
    family: first.synthesizer.family,
    warm: (request) => first.synthesizer.warm?.(request),
    synthesize: (request, signal) => speak(links, request, signal, tools, pace),
    // The caller closes them: a synthesizer may be in several chains.
    close: async () => {},
  };
}

async function* speak(
  links: readonly VoiceLink[],
  request: SynthesisRequest,
  signal: AbortSignal,
  { circuits, latencies, timers = systemTimers }: FallbackTools,
  pace: Map<VoiceLink, number>,
): AsyncGenerator<SynthesisChunk> {
  const { used, metered, ...wanted } = request;
  const progress = new SentenceProgress(wanted.text, wanted.language);
  const candidates = inOrder(links, wanted, circuits);
  let failure: unknown = new ProviderError('voices', 'unavailable', 'There is no voice for this.');
  for (const [index, { link, voice }] of candidates.entries()) {
    const { provider, synthesizer } = link;
    const place = links.indexOf(link);
    const asked = {
      ...wanted,
      text: progress.rest,
      voice,
      metered: (use: MeteredUse) => metered?.({ ...use, provider, place }),
    };
    const isLast = index === candidates.length - 1;
    const askedAt = timers.now();
    let sampleRate = 0;
    const trialAt = circuits.asked(provider);
    try {
      const chunks = withTimeouts((stopped) => synthesizer.synthesize(asked, stopped), {
        timers,
        signal,
        limitMs: () => (isLast ? null : SILENCE_LIMIT_MS),
        late: () => speechError(provider, 'timeout'),
        left: () => speechError(provider, 'aborted'),
      });
      for await (const chunk of chunks) {
        if (sampleRate === 0 && chunk.pcm.length > 0) {
          latencies.add('audio', provider, timers.now() - askedAt);
          used?.({ provider, place });
        }
        if (chunk.pcm.length > 0) ({ sampleRate } = chunk);
        yield progress.take(chunk, isLast);
      }
      circuits.succeeded(provider);
      if (progress.voiceMs > 0) pace.set(link, progress.voiceMs / charactersOf(asked.text));
      if (sampleRate > 0 && !isLast) yield progress.finish(sampleRate);
      return;
    } catch (error) {
      if (signal.aborted) throw error;
      const known = error instanceof ProviderError ? error : null;
      if (known?.code !== 'bad-request') circuits.failed(provider, trialAt, known?.retryAfterMs);
      latencies.failed('audio', provider, failureCode(error));
      failure = error;
      if (sampleRate > 0) yield progress.breakOff(sampleRate, pace.get(link) ?? null);
      if (progress.rest === '') return;
    }
  }
  throw failure;
}

/** Providers that failed lately come last. */
function inOrder(
  links: readonly VoiceLink[],
  { voice, language }: SynthesisRequest,
  circuits: CircuitBreaker,
): { readonly link: VoiceLink; readonly voice: string }[] {
  const gender = genderOf(links, voice);
  return links
    .flatMap((link, place) => {
      const name = place === 0 ? voice : similarVoice({ name: voice, gender }, language, link.voices);
      return name === null ? [] : [{ link, voice: name }];
    })
    .toSorted((a, b) => Number(circuits.mayBeAsked(b.link.provider)) - Number(circuits.mayBeAsked(a.link.provider)));
}

function genderOf(links: readonly VoiceLink[], voice: string): StockVoice['gender'] | null {
  return links[0]?.voices.find(({ providerVoiceId }) => providerVoiceId === voice)?.gender ?? null;
}

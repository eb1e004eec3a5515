import { z } from 'zod';
import { httpUrl, integer, nameText, secret } from '../option-values.ts';
import { ProviderError } from '../ports.ts';
import { limitKeyTerms } from './streaming/key-terms.ts';
import { socketUrl, type Outgoing, type StreamingProtocol } from './streaming/protocol.ts';
import { createStreamingRecognizer } from './streaming/streaming-recognizer.ts';
import { TimedConnection } from './streaming/timed-connection.ts';
import { TurnTexts } from './streaming/turn-texts.ts';
import { wordConfidence } from './streaming/word-confidence.ts';
import type { SttProvider } from './stt-provider.ts';

const PROVIDER = 'deepgram-flux';
const DEEPGRAM = 'https://api.deepgram.com';
/** 80 ms, which the service asks for ("Getting Started with Flux"). */
const PIECE_SAMPLES = 1_280;
/**
 * Silence after an utterance, 400 ms. An `Update` comes for every 0.25 s of audio. So one comes that shows that the
 * whole utterance was recognized, even if no turn is in progress and `ForceEndTurn` is ignored.
 */
const TAIL_SAMPLES = 5 * PIECE_SAMPLES;
/** The same as for Nova ("Keyterm Prompting"). */
const KEY_TERMS = { terms: 100, characters: 100, allCharacters: 1_000 };
/** Languages of `flux-general-multi` ("Language Prompting"). */
const LANGUAGES = ['de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pt', 'ru'];
const ENGLISH_MODEL = 'flux-general-en';
/** Times are rounded to frames of this length, s. */
const FRAME = 0.05;

const options = z.object({
  baseUrl: httpUrl().optional().describe(`Address of the service. Unset: \`${DEEPGRAM}\`.`),
  apiKey: secret().describe('Its key.'),
  model: nameText().default('flux-general-multi').describe(`Its model name. \`${ENGLISH_MODEL}\` knows English only.`),
  eagerEndOfTurnPercent: integer(30, 90)
    .default(50)
    .describe('How certain the service must be to say early that a turn may be over, in percent.'),
  endOfTurnPercent: integer(50, 90)
    .default(70)
    .describe('How certain the service must be to say that a turn is over, in percent. Parley takes it as a hint.'),
});

export const deepgramFlux: SttProvider<typeof options> = {
  id: PROVIDER,
  about: 'Deepgram Flux: streaming, and hints when a turn is over',
  where: 'service',
  languages: LANGUAGES,
  options,
  open: (settings) => createStreamingRecognizer(deepgramFluxProtocol(settings)),
};

/**
 * Deepgram Flux over the WebSocket `/v2/listen` (developers.deepgram.com/reference/speech-to-text/listen-flux, and the
 * pages "Understanding the Flux State Machine", "Force End Turn", "Language Prompting"). What Flux says about the end
 * of a turn is a hint for Parley's own decision. Tested against a local server that speaks this format, never against
 * the service itself.
 */
export function deepgramFluxProtocol(settings: z.output<typeof options>): StreamingProtocol {
  const isEnglish = settings.model === ENGLISH_MODEL;
  return {
    name: PROVIDER,
    languages: isEnglish ? ['en'] : LANGUAGES,
    pieceSamples: PIECE_SAMPLES,
    // Flux has no such message. If an idle connection is closed, another one is opened with the next words.
    keepAliveEveryMs: null,
    request: ({ language, keyTerms }) => ({
      url: socketUrl(settings.baseUrl ?? DEEPGRAM, '/v2/listen', [
        ['model', settings.model],
        ['encoding', 'linear16'],
        ['sample_rate', '16000'],
        // The service requires the early threshold to be no larger than the other.
        ['eager_eot_threshold', share(Math.min(settings.eagerEndOfTurnPercent, settings.endOfTurnPercent))],
        ['eot_threshold', share(settings.endOfTurnPercent)],
        ...(language === null || isEnglish ? [] : [['language_hint', language] as const]),
        ...limitKeyTerms(keyTerms, KEY_TERMS).map((term) => ['keyterm', term] as const),
      ]),
      headers: { authorization: `Token ${settings.apiKey}` },
    }),
    connect: ({ language }, handlers) => new FluxConnection(isEnglish ? 'en' : language, handlers),
  };
}

const share = (percent: number): string => (percent / 100).toFixed(2);

const turnSchema = z.object({
  type: z.literal('TurnInfo'),
  event: z.string(),
  turn_index: z.number(),
  audio_window_end: z.number(),
  transcript: z.string(),
  words: z.array(z.object({ confidence: z.number().optional() })).default([]),
  end_of_turn_confidence: z.number(),
  trigger: z.string().optional(),
  languages: z.array(z.string()).optional(),
});
type TurnInfo = z.infer<typeof turnSchema>;

class FluxConnection extends TimedConnection {
  /** Seconds of audio at the end of each utterance, without the silence after it. */
  readonly #forcedAt: number[] = [];
  /** Flux may end several turns in one utterance. */
  readonly #turns = new TurnTexts();
  #turn: 'in progress' | 'none' = 'none';

  finish(): readonly Outgoing[] {
    this.#forcedAt.push(this.spans.now);
    this.spans.sent(TAIL_SAMPLES);
    this.spans.finish();
    const tail = Array.from({ length: TAIL_SAMPLES / PIECE_SAMPLES }, () => new Uint8Array(PIECE_SAMPLES * 2));
    return [JSON.stringify({ type: 'ForceEndTurn' }), ...tail];
  }

  closing(): readonly Outgoing[] {
    return [JSON.stringify({ type: 'CloseStream' })];
  }

  receive(json: unknown): void {
    const { type } = z.object({ type: z.string() }).parse(json);
    if (type === 'TurnInfo') return this.#turnInfo(turnSchema.parse(json));
    if (type === 'Error' || type === 'FatalError')
      this.handlers.failed(new ProviderError(PROVIDER, 'server', 'The recognition service failed.'), 'retry');
  }

  #turnInfo(info: TurnInfo): void {
    const utterance = this.spans.at(info.audio_window_end);
    if (info.event === 'StartOfTurn' || info.event === 'TurnResumed') this.#turn = 'in progress';
    if (info.event === 'EndOfTurn') this.#turn = 'none';
    const text = this.#turns.set(utterance, info.turn_index, info.transcript);
    if (this.#isWhole(utterance, info)) {
      this.#turns.forget(utterance);
      const language = this.language ?? info.languages?.[0] ?? null;
      // Of the last turn: nearly always the whole utterance.
      return this.handlers.final(utterance, text, language, wordConfidence(info.words));
    }
    this.handlers.partial(utterance, text);
    const hint = hintOf(info);
    if (hint !== null) this.handlers.endOfTurn(utterance, hint);
  }

  #isWhole(utterance: number, { event, trigger, audio_window_end: end }: TurnInfo): boolean {
    const forcedAt = this.#forcedAt[utterance];
    if (forcedAt === undefined) return false;
    if (event === 'EndOfTurn') return trigger === 'manual' || end >= forcedAt - FRAME;
    return this.#turn === 'none' && end >= forcedAt - FRAME;
  }
}

/** Flux's own thresholds decide what is an end. @returns a probability, or null: nothing new. */
function hintOf({ event, end_of_turn_confidence: confidence }: TurnInfo): number | null {
  if (event === 'EndOfTurn') return 1;
  if (event === 'EagerEndOfTurn') return Math.min(1, Math.max(0, confidence));
  return event === 'TurnResumed' ? 0 : null;
}

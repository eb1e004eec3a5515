import { z } from 'zod';
import { httpUrl, nameText, secret } from '../option-values.ts';
import { ProviderError } from '../ports.ts';
import { limitKeyTerms } from './streaming/key-terms.ts';
import { socketUrl, type Outgoing, type StreamingProtocol } from './streaming/protocol.ts';
import { createStreamingRecognizer } from './streaming/streaming-recognizer.ts';
import { TimedConnection } from './streaming/timed-connection.ts';
import { TurnTexts } from './streaming/turn-texts.ts';
import { wordConfidence } from './streaming/word-confidence.ts';
import type { SttProvider } from './stt-provider.ts';

const PROVIDER = 'assemblyai';
const ASSEMBLYAI = 'https://streaming.assemblyai.com';
/** 64 ms: the service takes pieces of 50 to 1,000 ms. */
const PIECE_SAMPLES = 1_024;
/** "Keyterms Prompting" for streaming: at most 100 terms of 50 characters. */
const KEY_TERMS = { terms: 100, characters: 50 };
/** Languages of `universal-streaming-multilingual`. */
const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt'];
const ENGLISH_MODEL = 'universal-streaming-english';
const MULTILINGUAL_MODEL = 'universal-streaming-multilingual';
/** Parley decides when a turn is over. The service's own decision would cut utterances in two. */
const NEVER_CONFIDENT = '1';

/** Close codes ("Common session errors and closures"). */
const NOT_AUTHORIZED = 1008;
const TOO_MANY_SESSIONS = 4029;

const options = z.object({
  baseUrl: httpUrl().optional().describe(`Address of the service. Unset: \`${ASSEMBLYAI}\`.`),
  apiKey: secret().describe('Its key.'),
  model: nameText().default(MULTILINGUAL_MODEL).describe(`Its model name. \`${ENGLISH_MODEL}\` knows English only.`),
});

export const assemblyAi: SttProvider<typeof options> = {
  id: PROVIDER,
  about: 'AssemblyAI Universal-Streaming: words while somebody speaks',
  where: 'service',
  languages: LANGUAGES,
  options,
  open: (settings) => createStreamingRecognizer(assemblyAiProtocol(settings)),
};

/**
 * AssemblyAI's streaming API v3 (assemblyai.com/docs/api-reference/streaming-api, and the pages "Message Sequence",
 * "Turn Detection", "Common session errors and closures"). Tested against a local server that speaks this format, never
 * against the service itself.
 */
export function assemblyAiProtocol(settings: z.output<typeof options>): StreamingProtocol {
  const isEnglish = settings.model === ENGLISH_MODEL;
  return {
    name: PROVIDER,
    languages: isEnglish ? ['en'] : LANGUAGES,
    pieceSamples: PIECE_SAMPLES,
    // The service closes idle sessions only on request.
    keepAliveEveryMs: null,
    request: ({ keyTerms }) => {
      const terms = limitKeyTerms(keyTerms, KEY_TERMS);
      return {
        url: socketUrl(settings.baseUrl ?? ASSEMBLYAI, '/v3/ws', [
          ['speech_model', settings.model],
          ['sample_rate', '16000'],
          ['encoding', 'pcm_s16le'],
          ['format_turns', 'true'],
          ['end_of_turn_confidence_threshold', NEVER_CONFIDENT],
          ...(isEnglish ? [] : [['language_detection', 'true'] as const]),
          ...(terms.length === 0 ? [] : [['keyterms_prompt', JSON.stringify(terms)] as const]),
        ]),
        headers: { authorization: settings.apiKey },
      };
    },
    connect: ({ language }, handlers) => new AssemblyConnection(isEnglish ? 'en' : language, handlers),
    closeError(code) {
      if (code === NOT_AUTHORIZED) return failure('auth', 'refused the key', 'give up');
      if (code === TOO_MANY_SESSIONS) return failure('rate-limit', 'has reached its limit', 'retry');
      return null;
    },
  };
}

function failure<Next extends 'retry' | 'give up'>(code: 'auth' | 'rate-limit' | 'server', what: string, next: Next) {
  return { error: new ProviderError(PROVIDER, code, `The recognition service ${what}.`), next };
}

const turnSchema = z.object({
  type: z.literal('Turn'),
  turn_order: z.number(),
  turn_is_formatted: z.boolean(),
  end_of_turn: z.boolean(),
  transcript: z.string(),
  language_code: z.string().nullish(),
  words: z.array(z.object({ text: z.string(), start: z.number(), end: z.number(), confidence: z.number().optional() })),
});
type Turn = z.infer<typeof turnSchema>;
const errorSchema = z.object({ error_code: z.number().optional() });

class AssemblyConnection extends TimedConnection {
  readonly #turns = new TurnTexts();

  finish(): readonly Outgoing[] {
    this.spans.finish();
    return [JSON.stringify({ type: 'ForceEndpoint' })];
  }

  closing(): readonly Outgoing[] {
    return [JSON.stringify({ type: 'Terminate' })];
  }

  receive(json: unknown): void {
    const { type } = z.object({ type: z.string() }).parse(json);
    if (type === 'Turn') return this.#turn(turnSchema.parse(json));
    if (type !== 'Error') return;
    const isKey = errorSchema.parse(json).error_code === NOT_AUTHORIZED;
    const { error, next } = isKey
      ? failure('auth', 'refused the key', 'give up')
      : failure('server', 'failed', 'retry');
    this.handlers.failed(error, next);
  }

  #turn(turn: Turn): void {
    const [first] = turn.words;
    if (first === undefined) return;
    // The middle of a word, in ms. At its ends, it may touch the next utterance.
    const utterance = this.spans.at((first.start + first.end) / 2 / 1000);
    // Before the end, `transcript` has only the words that do not change any more.
    const words = turn.end_of_turn ? turn.transcript : turn.words.map(({ text: word }) => word).join(' ');
    const text = this.#turns.set(utterance, turn.turn_order, words);
    // The end of a turn is reported twice: as raw words, then formatted.
    if (turn.end_of_turn && turn.turn_is_formatted && this.spans.endOf(utterance) !== Infinity) {
      this.#turns.forget(utterance);
      const language = this.language ?? turn.language_code ?? null;
      // Of the last turn: nearly always the whole utterance.
      this.handlers.final(utterance, text, language, wordConfidence(turn.words));
    } else this.handlers.partial(utterance, text);
  }
}

import { z } from 'zod';
import { httpUrl, integer, nameText, secret } from '../option-values.ts';
import { ProviderError } from '../ports.ts';
import { limitKeyTerms } from './streaming/key-terms.ts';
import { socketUrl, type Outgoing, type StreamingProtocol } from './streaming/protocol.ts';
import { createStreamingRecognizer } from './streaming/streaming-recognizer.ts';
import { TimedConnection } from './streaming/timed-connection.ts';
import { wordConfidence } from './streaming/word-confidence.ts';
import type { SttProvider } from './stt-provider.ts';

const PROVIDER = 'deepgram';
const DEEPGRAM = 'https://api.deepgram.com';
/**
 * Without audio or a message, the service closes after 10 s (its page "Audio Keep Alive", which recommends every 3 to 5
 * s).
 */
const KEEP_ALIVE_MS = 4_000;
/** 64 ms: early enough for the first words, with half as many packets as windows of 32 ms. */
const PIECE_SAMPLES = 1_024;
/** "Keyterm Prompting": at most 500 tokens together, and 100 terms. A token has about 4 characters. */
const KEY_TERMS = { terms: 100, characters: 100, allCharacters: 1_000 };
/** Results may end one frame before the audio does, s. */
const FRAME = 0.05;
/** Languages of Nova-3 ("Models and Languages Overview") that Parley knows. */
const LANGUAGES =
  'be bg bs ca cs da de el en es et fi fr hi hr hu id it ja kn ko lt lv mk mr ms nl no pl pt ro ru sk sl sr sv ta th tl tr uk vi zh'.split(
    ' ',
  );
/** The language detection of Nova-3. */
const ANY_LANGUAGE = 'multi';

const options = z.object({
  baseUrl: httpUrl().optional().describe(`Address of the service. Unset: \`${DEEPGRAM}\`.`),
  apiKey: secret().describe('Its key.'),
  model: nameText().default('nova-3').describe('Its model name.'),
  endpointingMs: integer(10, 5_000)
    .default(300)
    .describe('Silence after which the service takes the words so far as certain, in ms.'),
});

export const deepgramNova: SttProvider<typeof options> = {
  id: PROVIDER,
  about: 'Deepgram Nova: streaming, words while somebody speaks',
  where: 'service',
  languages: LANGUAGES,
  options,
  open: (settings) => createStreamingRecognizer(deepgramNovaProtocol(settings)),
};

/**
 * Deepgram Nova over the WebSocket `/v1/listen` (developers.deepgram.com/reference/speech-to-text/listen-streaming, and
 * the pages "Finalize", "Audio Keep Alive", "Close Stream", "Keyterm Prompting"). Tested against a local server that
 * speaks this format, never against the service itself.
 */
export function deepgramNovaProtocol(settings: z.output<typeof options>): StreamingProtocol {
  return {
    name: PROVIDER,
    languages: LANGUAGES,
    pieceSamples: PIECE_SAMPLES,
    keepAliveEveryMs: KEEP_ALIVE_MS,
    request: ({ language, keyTerms }) => ({
      url: socketUrl(settings.baseUrl ?? DEEPGRAM, '/v1/listen', [
        ['model', settings.model],
        ['language', language ?? ANY_LANGUAGE],
        ['encoding', 'linear16'],
        ['sample_rate', '16000'],
        ['channels', '1'],
        ['interim_results', 'true'],
        ['smart_format', 'true'],
        ['endpointing', String(settings.endpointingMs)],
        // Older models have another parameter.
        ...(settings.model.startsWith('nova-3')
          ? limitKeyTerms(keyTerms, KEY_TERMS).map((term) => ['keyterm', term] as const)
          : []),
      ]),
      headers: { authorization: `Token ${settings.apiKey}` },
    }),
    connect: ({ language }, handlers) => new NovaConnection(language, handlers),
  };
}

const messageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('Results'),
    start: z.number(),
    duration: z.number(),
    is_final: z.boolean(),
    from_finalize: z.boolean().optional(),
    channel: z.object({
      alternatives: z
        .array(
          z.object({
            transcript: z.string(),
            languages: z.array(z.string()).optional(),
            words: z.array(z.object({ confidence: z.number().optional() })).default([]),
          }),
        )
        .min(1),
    }),
  }),
  z.object({ type: z.literal('Error') }),
]);
type Results = Extract<z.infer<typeof messageSchema>, { type: 'Results' }>;

/** What is known of an utterance without a final. */
interface Words {
  certain: string[];
  /** Confidence of each certain word that has one. */
  scored: { readonly confidence?: number | undefined }[];
  uncertain: string;
  language: string | null;
}

class NovaConnection extends TimedConnection {
  readonly #words = new Map<number, Words>();

  finish(): readonly Outgoing[] {
    this.spans.finish();
    return [JSON.stringify({ type: 'Finalize' })];
  }

  override keepAlive(): readonly Outgoing[] {
    return [JSON.stringify({ type: 'KeepAlive' })];
  }

  closing(): readonly Outgoing[] {
    return [JSON.stringify({ type: 'CloseStream' })];
  }

  receive(json: unknown): void {
    const known = z.object({ type: z.string() }).parse(json);
    // Other types, such as `Metadata`, contain no words.
    if (known.type !== 'Results' && known.type !== 'Error') return;
    const message = messageSchema.parse(json);
    if (message.type === 'Results') return this.#results(message);
    this.handlers.failed(new ProviderError(PROVIDER, 'server', 'The recognition service failed.'), 'retry');
  }

  #results(results: Results): void {
    const end = results.start + results.duration;
    const utterance = this.spans.at((results.start + end) / 2);
    const words = this.#words.get(utterance) ?? { certain: [], scored: [], uncertain: '', language: this.language };
    this.#words.set(utterance, words);
    const { transcript, languages, words: scored } = results.channel.alternatives[0]!;
    words.language = this.language ?? languages?.[0] ?? words.language;
    if (results.is_final) {
      if (transcript !== '') words.certain.push(transcript);
      words.scored.push(...scored);
      words.uncertain = '';
    } else words.uncertain = transcript;
    const text = [...words.certain, words.uncertain].filter((part) => part !== '').join(' ');
    // Not every `Finalize` gets an answer that says so: if all audio is recognized already, there is nothing to flush.
    const isWhole = results.from_finalize === true || (results.is_final && this.spans.at(end + FRAME) > utterance);
    if (isWhole && this.spans.endOf(utterance) !== Infinity) {
      this.#words.delete(utterance);
      this.handlers.final(utterance, text, words.language, wordConfidence(words.scored));
    } else this.handlers.partial(utterance, text);
  }
}

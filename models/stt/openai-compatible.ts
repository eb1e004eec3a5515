import { z } from 'zod';
import type { AnswerLimits } from '../http/answer-limits.ts';
import { limitFetch } from '../http/limit-fetch.ts';
import { defaultFetch } from '../llm/default-fetch.ts';
import { httpUrl, integer, nameText, secret } from '../option-values.ts';
import { ProviderError } from '../ports.ts';
import type { RecognitionHandlers, RecognitionOptions, RecognitionStream, SpeechRecognizer } from '../ports.ts';
import { isHallucination, voicedMsOf } from './hallucination.ts';
import type { SttProvider } from './stt-provider.ts';
import { transcriptionError } from './transcription-error.ts';
import { wavFile } from './wav.ts';

const PROVIDER = 'openai-compatible';
const OPENAI = 'https://api.openai.com/v1';
const SAMPLE_RATE = 16_000;
/** A long utterance is sent in parts of this length: 60 s is 1.9 MB, and services accept 25 MB. */
const MAX_PART_SAMPLES = 60 * SAMPLE_RATE;
/** A later transcription is of no use in a conversation. */
const REQUEST_TIMEOUT_MS = 15_000;
/** The words of a minute are 2 KB, ten times that with their segments. */
const ANSWER: AnswerLimits = { bodyBytes: 256 * 1024, unit: null, wholeMs: REQUEST_TIMEOUT_MS };

const options = z
  .object({
    baseUrl: httpUrl()
      .optional()
      .describe(
        `Address of a service with the OpenAI transcription format, everything before \`/audio/transcriptions\`. Unset: \`${OPENAI}\`, when there is a key.`,
      ),
    apiKey: secret().optional().describe('Its key. Local servers often want none.'),
    model: nameText().default('whisper-1').describe('Its model name.'),
    partialEverySeconds: integer(0, 60)
      .default(0)
      .describe(
        'While somebody speaks, the sound so far is sent again whenever so many seconds more have come, for words before the end. Each second of speech is then paid for several times. 0 asks only at the end.',
      ),
  })
  .refine(({ baseUrl, apiKey }) => baseUrl !== undefined || apiKey !== undefined, {
    message: 'needs an address or a key',
  });

/** Settings of such a service. */
export interface OpenAiCompatibleRecognizerSettings {
  readonly baseUrl: string;
  /** Sent as bearer token. */
  readonly apiKey?: string | undefined;
  readonly model: string;
  /** Whole seconds; 0: never. @defaultValue 0 */
  readonly partialEverySeconds?: number | undefined;
}

export const openAiCompatible: SttProvider<typeof options> = {
  id: 'openai',
  about: 'any service of the OpenAI transcription format',
  where: 'service',
  languages: 'any',
  options,
  open: ({ baseUrl, ...rest }) => createOpenAiCompatibleRecognizer({ ...rest, baseUrl: baseUrl ?? OPENAI }),
};

/**
 * Any service with the interface `POST /audio/transcriptions`. Each utterance is uploaded as a WAV file when it ends.
 */
export function createOpenAiCompatibleRecognizer(settings: OpenAiCompatibleRecognizerSettings): SpeechRecognizer {
  const service = new TranscriptionService(settings);
  const streams = new Set<UploadStream>();
  return {
    name: PROVIDER,
    languages: 'any',
    open({ language, keyTerms, handlers }) {
      const stream = new UploadStream(
        (pieces, expected, signal) => service.transcribe(pieces, expected, signal),
        (settings.partialEverySeconds ?? 0) * SAMPLE_RATE,
        { language, keyTerms },
        handlers,
        () => streams.delete(stream),
      );
      streams.add(stream);
      return stream;
    },
    async close() {
      for (const stream of streams) stream.close();
    },
  };
}

async function openClient(settings: OpenAiCompatibleRecognizerSettings) {
  const { OpenAI, toFile } = await import('openai');
  const client = new OpenAI({
    baseURL: settings.baseUrl,
    // The client requires a key. Servers without accounts ignore it.
    apiKey: settings.apiKey ?? 'none',
    timeout: REQUEST_TIMEOUT_MS,
    fetch: limitFetch(defaultFetch, ANSWER),
    maxRetries: 1,
    // The log would hold what was said.
    logLevel: 'off',
    // These would otherwise be taken from the environment.
    organization: null,
    project: null,
  });
  return { client, toFile };
}

class TranscriptionService {
  readonly #model: string;
  readonly #opened: ReturnType<typeof openClient>;
  /**
   * Whisper tells with its segments whether there was speech at all. Newer models and some servers know only `json`.
   */
  #format: 'verbose_json' | 'json';

  constructor(settings: OpenAiCompatibleRecognizerSettings) {
    this.#model = settings.model;
    this.#format = /whisper/i.test(settings.model) ? 'verbose_json' : 'json';
    // Loaded only where it is used, and before the first utterance: see `models/llm/openai-compatible.ts`.
    this.#opened = openClient(settings);
    // Each request tells the error.
    this.#opened.catch(() => {});
  }

  /** @returns '' where nobody spoke. @throws ProviderError */
  async transcribe(pieces: readonly Int16Array[], expected: Expected, signal: AbortSignal): Promise<string> {
    try {
      const { text, segments } = await this.#ask(pieces, expected, signal).catch(async (error: unknown) => {
        const refusal = await transcriptionError(PROVIDER, error);
        if (this.#format === 'json' || refusal.code !== 'bad-request') throw refusal;
        this.#format = 'json';
        return this.#ask(pieces, expected, signal);
      });
      const told = segments?.flatMap(({ no_speech_prob: probability }) => probability ?? []) ?? [];
      const noSpeech = told.length === 0 ? null : Math.min(...told);
      const heard = { text: text.trim(), voicedMs: voicedMsOf(pieces), noSpeech, keyTerms: expected.keyTerms };
      return isHallucination(heard) ? '' : heard.text;
    } catch (error) {
      throw await transcriptionError(PROVIDER, error);
    }
  }

  async #ask(pieces: readonly Int16Array[], { language, keyTerms }: Expected, signal: AbortSignal) {
    const { client, toFile } = await this.#opened;
    const file = await toFile(wavFile(pieces, SAMPLE_RATE), 'speech.wav', { type: 'audio/wav' });
    const answer: unknown = await client.audio.transcriptions.create(
      {
        file,
        model: this.#model,
        response_format: this.#format,
        ...(language === null ? {} : { language }),
        // The service prefers words of the preceding text.
        ...(keyTerms.length === 0 ? {} : { prompt: keyTerms.join(', ') }),
      },
      { signal },
    );
    const read = transcription.safeParse(answer);
    if (!read.success) throw new ProviderError(PROVIDER, 'bad-response', 'The recognition service sent no text.');
    return read.data;
  }
}

const transcription = z.object({
  text: z.string(),
  segments: z
    .array(z.object({ no_speech_prob: z.number().nullish() }))
    .nullish()
    .catch(null),
});

type Expected = Pick<RecognitionOptions, 'language' | 'keyTerms'>;
type Transcribe = (pieces: readonly Int16Array[], expected: Expected, signal: AbortSignal) => Promise<string>;

/** The audio of an utterance so far, and the texts of the parts that were sent. */
interface Utterance {
  readonly expected: Expected;
  readonly parts: Promise<string>[];
  readonly abort: AbortController;
  pieces: Int16Array[];
  samples: number;
  /** Number of samples at which the next partial text is requested. */
  nextPartialAt: number;
}

class UploadStream implements RecognitionStream {
  readonly #transcribe: Transcribe;
  readonly #partialEvery: number;
  readonly #handlers: RecognitionHandlers;
  readonly #closed: () => void;
  readonly #running = new Set<AbortController>();
  #expected: Expected;
  #current: Utterance | null = null;
  #life: 'open' | 'closed' = 'open';
  /** Passes on finals in the order of the utterances, in whichever order the answers come. */
  #lastFinal: Promise<void> = Promise.resolve();

  constructor(
    transcribe: Transcribe,
    partialEvery: number,
    expected: Expected,
    handlers: RecognitionHandlers,
    closed: () => void,
  ) {
    this.#transcribe = transcribe;
    this.#partialEvery = partialEvery;
    this.#expected = expected;
    this.#handlers = handlers;
    this.#closed = closed;
  }

  write(pcm: Int16Array): void {
    if (this.#life === 'closed') return;
    const utterance = (this.#current ??= this.#begin());
    utterance.pieces.push(pcm);
    utterance.samples += pcm.length;
    if (utterance.samples >= MAX_PART_SAMPLES) this.#sendPart(utterance);
    else if (utterance.samples >= utterance.nextPartialAt) this.#askPartial(utterance);
  }

  finish(): void {
    if (this.#life === 'closed') return;
    const utterance = this.#current ?? this.#begin();
    this.#current = null;
    if (utterance.samples > 0) this.#sendPart(utterance);
    this.#lastFinal = this.#deliver(utterance, this.#lastFinal);
  }

  reset(): void {
    const utterance = this.#current;
    this.#current = null;
    if (utterance === null) return;
    this.#running.delete(utterance.abort);
    utterance.abort.abort();
  }

  setLanguage(language: string | null): void {
    this.#expected = { ...this.#expected, language };
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    for (const abort of this.#running) abort.abort();
    this.#running.clear();
    this.#current = null;
    this.#closed();
  }

  #begin(): Utterance {
    const abort = new AbortController();
    this.#running.add(abort);
    return {
      expected: this.#expected,
      parts: [],
      abort,
      pieces: [],
      samples: 0,
      nextPartialAt: this.#partialEvery || Number.POSITIVE_INFINITY,
    };
  }

  #sendPart(utterance: Utterance): void {
    const part = this.#transcribe(utterance.pieces, utterance.expected, utterance.abort.signal);
    // `finish` handles the outcome. Until then it must not count as an unhandled rejection.
    part.catch(() => undefined);
    utterance.parts.push(part);
    utterance.pieces = [];
    utterance.samples = 0;
    utterance.nextPartialAt = this.#partialEvery || Number.POSITIVE_INFINITY;
  }

  #askPartial(utterance: Utterance): void {
    // One at a time: the next is requested when this one has come.
    utterance.nextPartialAt = Number.POSITIVE_INFINITY;
    void this.#tellPartial(utterance, utterance.parts.length);
  }

  async #tellPartial(utterance: Utterance, part: number): Promise<void> {
    // Errors of partial texts are ignored. If the service fails, the final fails, too.
    const text = await this.#transcribe([...utterance.pieces], utterance.expected, utterance.abort.signal).catch(
      () => '',
    );
    if (this.#current !== utterance || utterance.parts.length !== part) return;
    utterance.nextPartialAt = utterance.samples + this.#partialEvery;
    if (text !== '') this.#handlers.partial(text);
  }

  async #deliver(utterance: Utterance, before: Promise<void>): Promise<void> {
    try {
      const texts = await Promise.all(utterance.parts);
      await before;
      this.#running.delete(utterance.abort);
      if (this.#life === 'open')
        this.#handlers.final(texts.filter((text) => text !== '').join(' '), utterance.expected.language);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #fail(error: Error): void {
    if (this.#life === 'closed') return;
    this.close();
    this.#handlers.failed(error);
  }
}
